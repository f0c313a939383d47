import { toIso } from '../../domain/durations.ts'
import { formatUsdc, maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import { toFilledTerms } from '../../domain/plans/fillStep.ts'
import { needsOf, type PlanStep, type StepPurchase } from '../../domain/plans/plan.ts'
import { toOnFailureText } from '../../domain/plans/planText.ts'
import { billOf, endsBy, stepNow, unspentOf } from '../../domain/plans/progress.ts'
import type { Deliverables, Run, StoredPlan } from '../../ports.ts'
import type { PlanRecord, PlanStepRecord } from '../../records/plan.ts'
import type { Deps } from '../operation.ts'
import { renamed } from '../renamed.ts'

/** The API representation of the plan of a run; undefined where the run has none. `known`: what was read before. */
export const readPlanRecord = async (
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  run: Pick<Run, 'id' | 'jobId' | 'parent'>,
  known?: { plan: StoredPlan | undefined },
): Promise<PlanRecord | undefined> => {
  if (run.jobId !== undefined || run.parent !== undefined) return undefined
  const { plan: stored } = known ?? { plan: await store.plan(run.id) }
  if (!stored) return undefined
  const isOpened = stored.steps.some(it => it.tries.length > 0)
  const deliverables: Deliverables = isOpened ? await store.acceptedDeliverables(run.id) : new Map()
  return toPlanRecord(stored, deliverables, clock.now())
}

export const toOpenPlanRecord = (plan: StoredPlan['plan'], now: number): PlanRecord =>
  toPlanRecord(toUnopened(plan), new Map(), now)

const toUnopened = (plan: StoredPlan['plan']): StoredPlan => ({
  runId: '',
  mandateId: undefined,
  agreedAt: undefined,
  isStopped: false,
  steps: [],
  plan,
  state: 'proposed',
  decimals: maxDecimals,
  total: parseUsdc(plan.total, maxDecimals) ?? 0n,
})

const toPlanRecord = (stored: StoredPlan, deliverables: Deliverables, now: number): PlanRecord => {
  const { plan, decimals, total } = stored
  const bill = billOf(stored)
  const say = (amount: bigint) => formatUsdc(amount, decimals)
  return {
    ...renamed(plan, ['digest', 'total', 'unplanned', 'withinMinutes', 'mandate']),
    state: stored.state,
    paid: say(bill.paid),
    refunded: say(bill.refunded),
    unspent: say(unspentOf(total, bill)),
    ends_by: toIso(endsBy(stored, now)),
    lapses_at: toIso(plan.lapsesAt),
    on_failure: toOnFailureText(plan),
    steps: plan.steps.map(step => toStepRecord(step, stored, deliverables)),
  }
}

const toPaidRecord = ({ url, method, payee, approves, digest, scheme, outside, bodyHash }: StepPurchase) => ({
  ...{ url, method, payee, digest },
  ...(approves && { approves }),
  ...(scheme && { scheme }),
  ...(outside && { outside }),
  ...(bodyHash && { body_hash: bodyHash }),
})

const toStepRecord = (step: PlanStep, stored: StoredPlan, deliverables: Deliverables): PlanStepRecord => {
  const { rows, last, state, hire } = stepNow(step, stored)
  const filled = last ? toFilledTerms(hire, deliverables) : undefined
  const { standby } = step
  return {
    ...renamed(step, ['number', 'task', 'leftOut']),
    agent_handle: hire.terms.agentHandle,
    agent_name: hire.agentName,
    offering_name: hire.terms.offeringName,
    price: step.terms.total,
    state,
    input: (filled ?? hire.terms).input,
    needs: needsOf(step),
    ...(standby && {
      standby: {
        agent_handle: standby.terms.agentHandle,
        agent_name: standby.agentName,
        offering_name: standby.terms.offeringName,
        price: standby.terms.total,
      },
    }),
    is_standby: (last?.attempt ?? 0) > 0,
    reason: rows.skipped ?? (last?.job ? last.job.reason : last?.hasEnded ? last.answer : '') ?? '',
    ...(last && { run_id: last.runId }),
    ...(last?.job && !last.job.bought && { job_id: last.job.id }),
    ...(step.purchase && { purchase: toPaidRecord(step.purchase) }),
  }
}
