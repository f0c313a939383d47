import { minuteMs } from '../durations.ts'
import { isFinal, type JobState } from '../jobs/job.ts'
import type { Atomic } from '../money/money.ts'
import { hireOf, needsOf, type Plan, type PlanStep } from './plan.ts'
import type { PlanState, PlanStepState } from './planStates.ts'

type TriedJob = {
  id: string
  state: JobState
  budget: Atomic
  /** What came back of a paid usage price. For a payment by x402 what its seller did not take, which never left the wallet. */
  returned?: Atomic | undefined
  isCancelled: boolean
  /** Set for a payment by x402. `isServed`: the seller was paid and answered. `isLost`: no answer of it can flow on. */
  bought?: { isServed: boolean; isLost: boolean } | undefined
  /** Its deliverable passed the checks, so its payment may be under way whatever the chain says now. */
  wasAccepted?: boolean | undefined
  reason: string
}

/** One attempt at a step: its run, and its job once that is open. `answer`: what the run said at its end. */
export type Try = { attempt: number; runId: string; hasEnded: boolean; answer: string; job: TriedJob | undefined }

/** What the rows say about a step. `skipped`: why it is left out. */
export type StepRows = { number: number; skipped: string | undefined; tries: Try[] }

/** What the rows say about a plan. Times are epoch ms. `isStopped`: its user cancelled it. */
export type PlanRows = { plan: Plan; state: PlanState; agreedAt: number | undefined; isStopped: boolean; steps: StepRows[] }

/** A deliverable in these states passed its checks, and its agent is paid. */
const acceptedStates: readonly JobState[] = ['settling', 'settled']
export const isAccepted = (it: Try | undefined): boolean =>
  it?.job !== undefined && acceptedStates.includes(it.job.state) && it.job.bought?.isLost !== true

const backStates: readonly JobState[] = ['rejected', 'expired', 'refunded', 'cancelled']
/** The attempt can give no deliverable any more. */
const isLost = ({ job, hasEnded }: Try): boolean =>
  job ? backStates.includes(job.state) || job.bought?.isLost === true : hasEnded
/** The attempt has ended, and its money is where it stays. */
const isOver = ({ job, hasEnded }: Try): boolean => (job ? isFinal(job.state) : hasEnded)

export const rowsOf = ({ steps }: Pick<PlanRows, 'steps'>, number: number): StepRows =>
  steps.find(it => it.number === number) ?? { number, skipped: undefined, tries: [] }
const lastTry = ({ tries }: StepRows): Try | undefined => tries.at(-1)

/**
 * Whether the standby may be hired: it was not, the user did not end the step, and no payment for it was signed. A payment that
 * the chain took back may return, and would then be a second one.
 */
const hasStandby = (step: PlanStep, { tries }: StepRows): boolean => {
  const first = tries[0]?.job
  return step.standby !== undefined && tries.length === 1 && first?.isCancelled !== true && first?.wasAccepted !== true
}

/** The latest time in epoch ms at which a step may open. */
export const endsBy = ({ plan, agreedAt }: Pick<PlanRows, 'plan' | 'agreedAt'>, now: number): number =>
  (agreedAt ?? now) + plan.withinMinutes * minuteMs

export const stateOf = (step: PlanStep, of: Omit<PlanRows, 'plan'>): PlanStepState => {
  const rows = rowsOf(of, step.number)
  if (rows.skipped !== undefined) return 'skipped'
  const last = lastTry(rows)
  const goesOn = of.state === 'running' && !of.isStopped
  if (!last || (goesOn && isLost(last) && hasStandby(step, rows))) return 'waiting'
  if (!last.job) return last.hasEnded ? 'failed' : 'waiting'
  if (last.job.state === 'settled') return 'paid'
  if (backStates.includes(last.job.state)) return last.job.bought ? 'failed' : 'refunded'
  return last.job.state === 'submitted' || last.job.state === 'settling' ? 'delivered' : 'working'
}

/** A step as its rows show it: its state, its last attempt, and the hire of that. */
export const stepNow = (step: PlanStep, of: Omit<PlanRows, 'plan'>) => {
  const rows = rowsOf(of, step.number)
  const last = lastTry(rows)
  return { rows, last, state: stateOf(step, of), hire: hireOf(step, last?.attempt ?? 0) ?? step }
}

/** What is to be done: steps to start, at which attempt, and steps to leave out, each with the reason. */
export type Todo = {
  start: { number: number; attempt: number }[]
  skip: { number: number; reason: string }[]
  isOver: boolean
}

const tooLate = 'The time of the plan was over.'
const stopped = 'You cancelled the plan.'
const toNeedless = (need: number): string => `It needs the result of step ${need}, which is not there.`

type Fate = 'done' | 'under-way' | 'lost' | 'waiting'

/** @returns `lost`: the step will give no deliverable, and no standby is left */
const fateOf = (step: PlanStep, rows: StepRows): Fate => {
  const last = lastTry(rows)
  if (rows.skipped !== undefined) return 'lost'
  if (!last) return 'waiting'
  if (isAccepted(last)) return 'done'
  return isLost(last) && !hasStandby(step, rows) ? 'lost' : 'under-way'
}

/** Decides from the rows alone what a running plan does next. The same rows always give the same answer. @param now epoch ms */
export const decidePlan = (rows: PlanRows, now: number): Todo => {
  const todo: Todo = { start: [], skip: [], isOver: false }
  if (rows.state !== 'running') return { ...todo, isOver: rows.state !== 'proposed' }
  const isLate = rows.isStopped || now > endsBy(rows, now)
  const lateWords = rows.isStopped ? stopped : tooLate
  const fates = new Map(rows.plan.steps.map(step => [step.number, fateOf(step, rowsOf(rows, step.number))]))
  // A skipped step is lost to those after it at once, so that one reading of the rows decides all of them.
  for (const step of rows.plan.steps) {
    const { number } = step
    const own = rowsOf(rows, number)
    const last = lastTry(own)
    const fate = fates.get(number)
    const isWaiting = fate === 'waiting'
    const lost = needsOf(step).find(it => fates.get(it) === 'lost')
    const reason = lost !== undefined ? toNeedless(lost) : isLate ? lateWords : undefined
    if (isWaiting && reason !== undefined) {
      todo.skip.push({ number, reason })
      fates.set(number, 'lost')
    } else if (isWaiting && needsOf(step).every(it => fates.get(it) === 'done')) todo.start.push({ number, attempt: 0 })
    // The money of the first attempt is back before the second one opens, so that the total is never passed.
    if (fate === 'under-way' && last && isLost(last) && isOver(last) && !isLate) todo.start.push({ number, attempt: 1 })
  }
  const isSettled = rows.plan.steps.every(step => isStepOver(step, rowsOf(rows, step.number), isLate))
  return { ...todo, isOver: todo.start.length === 0 && todo.skip.length === 0 && isSettled }
}

const isStepOver = (step: PlanStep, rows: StepRows, isLate: boolean): boolean => {
  if (rows.skipped !== undefined) return true
  const last = lastTry(rows)
  return last !== undefined && isOver(last) && (isAccepted(last) || isLate || !hasStandby(step, rows))
}

/**
 * Amounts of a plan in atomic USDC. `reserved` is in escrow, or on its way there, back or to a seller. `unused` is the part of
 * `refunded` that paid usage prices returned. What a seller did not take is neither paid nor refunded.
 */
export type Bill = { paid: Atomic; refunded: Atomic; reserved: Atomic; unused: Atomic }

export const billOf = ({ steps }: Pick<PlanRows, 'steps'>): Bill => {
  const jobs = steps.flatMap(it => it.tries.flatMap(({ job }) => job ?? []))
  const sumOf = (states: readonly JobState[]) =>
    jobs.filter(it => states.includes(it.state)).reduce((sum, it) => sum + it.budget, 0n)
  const all = jobs.reduce((sum, it) => sum + it.budget, 0n)
  const backOf = (own: readonly TriedJob[]) => own.reduce((sum, it) => sum + (it.returned ?? 0n), 0n)
  const [settled, gone, never] = [sumOf(['settled']), sumOf(['refunded']), sumOf(['cancelled'])]
  const unused = backOf(jobs.filter(it => !it.bought))
  return { paid: settled - backOf(jobs), refunded: gone + unused, reserved: all - settled - gone - never, unused }
}

/** What of the total of a plan is neither paid nor in escrow, in atomic USDC. */
export const unspentOf = (total: Atomic, { paid, reserved }: Pick<Bill, 'paid' | 'reserved'>): Atomic =>
  total > paid + reserved ? total - paid - reserved : 0n
