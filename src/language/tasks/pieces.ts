import type { Label } from './labels.ts'
import type { Unit } from './units.ts'

/** More tasks than these are no plan; the last one keeps the rest of the message. */
const maxTasks = 12

/** The units of one task, and whether it shares the verb of the task before. */
export type Piece = { units: Unit[]; shares: boolean }

/** Groups units into tasks: the context before a task and what follows it are parts of it; frames are of none. */
export const toPieces = (units: readonly Unit[], labels: readonly Label[]): Piece[] => {
  const pieces: Piece[] = []
  let context: Unit[] = []
  for (const [at, unit] of units.entries()) {
    const label = labels[at]
    const last = pieces.at(-1)
    const isMore = label === 'more' || pieces.length >= maxTasks
    if (label === 'frame') continue
    if (label === 'context' || (isMore && (context.length > 0 || !last))) context.push(unit)
    else if (isMore) last?.units.push(unit)
    else {
      pieces.push({ units: [...context, unit], shares: label === 'share' })
      context = []
    }
  }
  pieces.at(-1)?.units.push(...context)
  return pieces
}
