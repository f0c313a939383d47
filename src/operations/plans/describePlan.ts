import { formatUsdc } from '../../domain/money/money.ts'
import { hireOf } from '../../domain/plans/plan.ts'
import { billOf, rowsOf, stateOf, unspentOf } from '../../domain/plans/progress.ts'
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
  const told = await Promise.all(stored.plan.steps.map(it => describeStep(deps, stored, it.number)))
  const spent = billOf(stored)
  const { paid, refunded } = spent
  const say = (amount: bigint) => formatUsdc(amount, stored.decimals)
  const isServed = (number: number) => rowsOf(stored, number).tries.at(-1)?.job?.bought?.isServed !== false
  const done = stored.plan.steps.filter(it => stateOf(it, stored) === 'paid' && isServed(it.number)).length
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

const describeStep = async (deps: Reach, stored: StoredPlan, number: number): Promise<string> => {
  const rows = rowsOf(stored, number)
  const step = stored.plan.steps.find(it => it.number === number)
  const last = rows.tries.at(-1)
  const hire = step && hireOf(step, last?.attempt ?? 0)
  if (!step || !hire) return ''
  const state = stateOf(step, stored)
  const bought = last?.job?.bought ? await deps.buying?.describe(deps, last.runId) : undefined
  const job = last?.job && !bought ? await deps.store.job(last.job.id) : undefined
  const reason = rows.skipped ?? (job || bought ? '' : last?.answer)
  const { offeringName, agentHandle } = hire.terms
  return [toStepText({ number, state, offeringName, agentHandle }, reason), bought ?? (job && (await describeEnd(deps, job)))]
    .filter(Boolean)
    .join('\n')
}
