import type { JobState } from '../../src/domain/jobs/job.ts'
import { toFilledTerms } from '../../src/domain/plans/fillStep.ts'
import type { Opening } from '../../src/domain/plans/mayOpen.ts'
import { longestMinutes } from '../../src/domain/plans/order.ts'
import { type Plan, type PlanStep, type StepHire, toPlanDigest } from '../../src/domain/plans/plan.ts'
import type { Reference } from '../../src/domain/plans/planStates.ts'
import type { StepRows, Try } from '../../src/domain/plans/progress.ts'
import { toDigest } from '../../src/domain/runs/proposal.ts'

export const hire = (handle: string, price: string, references: Record<string, Reference> = {}): StepHire => ({
  terms: {
    ...{ chainId: 97, agentId: `97:0x0:${handle}`, agentHandle: handle, offeringId: handle, offeringName: handle },
    ...{ offeringVersion: 1, input: '{}', price, fee: '0', total: price, slaMinutes: 2, checklistHash: 'h' },
  },
  ...{ agentName: handle, checklist: [], values: {}, references, isPlain: false },
})

type Over = { needs?: number[]; standby?: StepHire; price?: string }
export const step = (number: number, { needs = [], standby, price = '1' }: Over = {}): PlanStep => ({
  ...hire(`agent-${number}`, price, Object.fromEntries(needs.map(from => [`of${from}`, { from, path: '/out' }]))),
  ...{ number, task: `Do ${number}`, leftOut: [] },
  ...(standby && { standby }),
})

export const planOf = (steps: PlanStep[]): Plan => {
  const total = String(steps.reduce((sum, it) => sum + Number(it.terms.total), 0))
  const agreed = { chainId: 97, steps, total, withinMinutes: longestMinutes(steps) }
  return { kind: 'plan', ...agreed, unplanned: [], mandate: null, digest: toPlanDigest(agreed), lapsesAt: 1_000 }
}

export const tried = (state: JobState | 'ended' | 'started', over: Partial<Try> & { budget?: bigint } = {}): Try => {
  const { budget = 1n, attempt = 0, ...rest } = over
  const job = { id: `job-${attempt}`, state: 'open' as JobState, budget, isCancelled: false, reason: '' }
  const isJob = state !== 'ended' && state !== 'started'
  return {
    ...{ attempt, runId: `run-${attempt}`, hasEnded: state === 'ended', answer: '' },
    job: isJob ? { ...job, state } : undefined,
    ...rest,
  }
}

/** Everything that the write looks at, for a step that may open. */
export const opening = (plan: Plan, number: number, over: Partial<Opening> = {}): Opening => {
  const deliverables = new Map(plan.steps.map(it => [it.number, JSON.stringify({ out: `result ${it.number}` })]))
  const own = plan.steps.find(it => it.number === number)
  const filled = own && toFilledTerms(own, deliverables)
  const steps: StepRows[] = plan.steps.map(it => ({
    number: it.number,
    skipped: undefined,
    tries: it.number === number ? [tried('started')] : it.number < number ? [tried('settled')] : [],
  }))
  return {
    rows: { plan, state: 'running', agreedAt: 0, isStopped: false, steps },
    consents: [plan.digest],
    ...{ number, attempt: 0, digest: filled ? toDigest(filled) : '', amount: 1n, price: 1n },
    ...{ total: BigInt(plan.total), isOpened: false, deliverables, now: 0 },
    ...over,
  }
}
