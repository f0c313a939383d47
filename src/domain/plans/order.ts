import { minuteMs } from '../durations.ts'
import { deadlines } from '../jobs/deadlines.ts'
import { needsOf, type PlanStep } from './plan.ts'

/** Why the steps of a plan are none: a reference to no step, or in a circle. Undefined where they are in order. */
export const disorderOf = (steps: readonly Pick<PlanStep, 'number' | 'references' | 'standby'>[]): string | undefined => {
  const done = new Set<number>()
  const known = new Set(steps.map(it => it.number))
  if (known.size < steps.length) return 'Two steps have the same number.'
  for (const step of steps) {
    const missing = needsOf(step).find(it => !known.has(it))
    if (missing !== undefined) return `Step ${step.number} takes the result of step ${missing}, which is not in the plan.`
  }
  let left = [...steps]
  while (left.length > 0) {
    const ready = left.filter(it => needsOf(it).every(need => done.has(need)))
    if (ready.length === 0) return `Steps ${left.map(it => it.number).join(' and ')} take the results of each other.`
    for (const it of ready) done.add(it.number)
    left = left.filter(it => !done.has(it.number))
  }
  return undefined
}

/** Minutes that a hire takes at most: until its escrow expires. */
const minutesOf = (slaMinutes: number): number => Math.ceil(deadlines(slaMinutes, 0).expiresAt / minuteMs)

/**
 * Minutes from the yes to the latest end of a plan. Its longest path counts, with every standby on it.
 * @param steps without circles
 */
export const longestMinutes = (steps: readonly PlanStep[]): number => {
  const ends = new Map<number, number>()
  const endOf = (step: PlanStep): number => {
    const known = ends.get(step.number)
    if (known !== undefined) return known
    const before = steps.filter(it => needsOf(step).includes(it.number)).map(endOf)
    const own = minutesOf(step.terms.slaMinutes) + (step.standby ? minutesOf(step.standby.terms.slaMinutes) : 0)
    const end = Math.max(0, ...before) + own
    ends.set(step.number, end)
    return end
  }
  return Math.max(0, ...steps.map(endOf))
}
