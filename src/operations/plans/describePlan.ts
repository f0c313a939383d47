import { formatUsdc } from '../../domain/money/money.ts'
import type { PlanStep } from '../../domain/plans/plan.ts'
import { billOf, stepNow, unspentOf } from '../../domain/plans/progress.ts'
import { toBillText, toStepText } from '../../domain/runTexts/plans.ts'
import type { StoredPlan } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { describeEnd } from '../runs/readPayments.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'selling' | 'buying'>

/** How a plan ended: the bill, then each step with its result and where its money is. Amounts are decimal USDC. */
export type PlanBill = { words: string; total: string; paid: string; refunded: string }

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
