import { minuteMs } from '../../domain/durations.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { toFilledTerms, toStepProposal } from '../../domain/plans/fillStep.ts'
import { hireOf, type PlanStep } from '../../domain/plans/plan.ts'
import { billOf, stepNow, unspentOf } from '../../domain/plans/progress.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import { notTaken, toBillText, toStepText } from '../../domain/runTexts/plans.ts'
import type { Job, StoredPlan } from '../../ports.ts'
import { closeWithin } from '../hires/closeJob.ts'
import { chainOf, type Deps } from '../operation.ts'
import { describeEnd } from '../runs/readPayments.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'selling' | 'buying'>

/** How a plan ended: the bill, then each step with its result and where its money is. Amounts are decimal USDC. */
type PlanBill = { words: string; total: string; paid: string; refunded: string }

/** @throws RangeError when the run has no plan */
export const describePlan = async (deps: Reach, runId: string): Promise<PlanBill> => {
  const stored = await deps.store.plan(runId)
  if (!stored) throw new RangeError(`run ${runId} has no plan`)
  const told = await Promise.all(stored.plan.steps.map(it => describeStep(deps, stored, it)))
  const spent = billOf(stored)
  const { paid, refunded } = spent
  const say = (amount: bigint) => formatUsdc(amount, stored.decimals)
  const now = stored.plan.steps.map(it => stepNow(it, stored))
  const done = now.filter(it => it.state === 'paid' && it.last?.job?.bought?.isServed !== false).length
  const bill = toBillText({
    done,
    steps: stored.plan.steps.length,
    total: stored.plan.total,
    paid: say(paid),
    refunded: say(refunded),
    unspent: say(unspentOf(stored.total, spent)),
  })
  const words = [bill, ...told].join('\n\n')
  return { words, total: stored.plan.total, paid: say(paid), refunded: say(refunded) }
}

const describeStep = async (deps: Reach, stored: StoredPlan, step: PlanStep): Promise<string> => {
  const { rows, last, state, hire } = stepNow(step, stored)
  const bought = last?.job?.bought ? await deps.buying?.describe(deps, last.runId) : undefined
  const job = last?.job && !bought ? await deps.store.job(last.job.id) : undefined
  const reason = rows.skipped ?? (job || bought ? '' : last?.answer)
  const { offeringName, agentHandle } = hire.terms
  const told = toStepText({ number: step.number, state, offeringName, agentHandle }, reason)
  return [told, bought ?? (job && (await describeEnd(deps, job)))].filter(Boolean).join('\n')
}

type Terms = { proposal: Proposal } | { purchase: PurchaseProposal }

/** The terms that a step's run takes to its escrow or payment, with the results of earlier steps. Undefined where one is missing. */
export const readStep = async ({ store, clock }: Pick<Deps, 'store' | 'clock'>, runId: string): Promise<Terms | undefined> => {
  const ref = await store.stepOf(runId)
  const stored = ref && (await store.plan(ref.planId))
  const step = stored?.plan.steps.find(it => it.number === ref?.number)
  if (step?.purchase) return { purchase: step.purchase }
  const hire = step && hireOf(step, ref?.attempt ?? 0)
  const terms = hire && toFilledTerms(hire, await store.acceptedDeliverables(ref?.planId ?? ''))
  return hire && terms && { proposal: toStepProposal(hire, terms, clock.now()) }
}

/**
 * Takes back the job of a plan's step that its agent has not taken, if a standby is named whose promise fits into the time that
 * is left. The plan hires the standby when the money is back.
 */
export const takeOver = async ({ store, chains, clock }: Pick<Deps, 'store' | 'chains' | 'clock'>, job: Job): Promise<void> => {
  const ref = await store.stepOf(job.runId)
  const stored = ref && (await store.plan(ref.planId))
  const standby = stored?.plan.steps.find(it => it.number === ref?.number)?.standby
  const leftMs = job.deadlines.submitBy - clock.now()
  if (ref?.attempt !== 0 || !standby || standby.terms.slaMinutes * minuteMs > leftMs) return
  const chain = job.kind === 'hire' ? chainOf({ chains }, job.chainId) : undefined
  await store.atomically(tables => closeWithin(tables, chain, { job, event: 'withdraw', reason: notTaken }))
}
