import type { Atomic } from '../money/money.ts'
import { toDigest } from '../runs/proposal.ts'
import { toFilledTerms } from './fillStep.ts'
import { hireOf, toPlanDigest } from './plan.ts'
import { billOf, decidePlan, endsBy, type PlanRows } from './progress.ts'

/** What the rows say at the moment of the write. `consents`: digests to which the run's user said yes, or its mandate. */
export type Opening = {
  rows: PlanRows
  consents: readonly string[]
  number: number
  attempt: number
  digest: string
  amount: Atomic
  /** The price of the step and the total of the plan, in atomic USDC. */
  price: Atomic
  total: Atomic
  isOpened: boolean
  deliverables: ReadonlyMap<number, string>
  now: number
}

/**
 * Why a step of a plan may not be escrowed or paid; undefined when it may. The write that opens its job, or that stores the consent
 * to its payment, asks this under a lock.
 */
export const whyNotOpen = (of: Opening): string | undefined => {
  const { rows, number, attempt, consents } = of
  if (rows.state !== 'running') return 'The plan does not run.'
  if (toPlanDigest(rows.plan) !== rows.plan.digest || !consents.includes(rows.plan.digest)) return 'The plan has no yes.'
  if (rows.isStopped) return 'The plan was stopped.'
  if (of.now > endsBy(rows, of.now)) return 'The time of the plan is over.'
  const step = rows.plan.steps.find(it => it.number === number)
  const hire = step && hireOf(step, attempt)
  const own = rows.steps.find(it => it.number === number)
  if (!hire || !own || own.skipped !== undefined) return 'The step is not in the plan.'
  if (of.isOpened || own.tries.some(it => it.attempt === attempt && it.job)) return 'The step was opened before.'
  const isFirst = own.tries.every(it => it.attempt === attempt)
  if (attempt === 0 ? !isFirst : !isStandbyDue(of)) return 'The step was opened before.'
  const filled = toFilledTerms(hire, of.deliverables)
  if (!filled) return 'A result that the step needs was not accepted.'
  if ((step.purchase?.digest ?? toDigest(filled)) !== of.digest) return 'The terms are not those of the plan.'
  if (of.amount > of.price) return 'The step costs more than the plan says.'
  const { paid, reserved } = billOf(rows)
  return paid + reserved + of.amount > of.total ? 'The total of the plan would be passed.' : undefined
}

/** Whether the first attempt at a step is over, and its money back. */
const isStandbyDue = ({ rows, number, now }: Opening): boolean => {
  const before = rows.steps.map(it => (it.number === number ? { ...it, tries: it.tries.filter(one => one.attempt === 0) } : it))
  return decidePlan({ ...rows, steps: before }, now).start.some(it => it.number === number && it.attempt === 1)
}
