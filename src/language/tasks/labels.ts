import { toClassifier } from './classifier.ts'
import { type Seen, see, toFeatures } from './features.ts'
import type { Unit } from './units.ts'
import trained from './weights.json' with { type: 'json' }

/**
 * What a unit is to the tasks: it begins one, begins one with the verb of the task before (`share`), tells what the next one
 * needs (`context`), only speaks of the tasks (`frame`), or belongs to the unit before (`more`).
 */
export const labels = ['task', 'share', 'context', 'frame', 'more'] as const
export type Label = (typeof labels)[number]

const classifier = toClassifier(labels, trained.labels)

const mostLikely = (likely: Record<Label, number>, possible: readonly Label[]): Label =>
  possible.reduce((best, it) => (likely[it] > likely[best] ? it : best), possible[0] ?? 'more')

const firstLabels: readonly Label[] = ['task', 'context', 'frame']

/** Labels the units of a message in order. The label of a unit is a feature of the next one. */
export const toLabels = (units: readonly Unit[]): Label[] => {
  const seen: Seen[] = units.map(see)
  const found: Label[] = []
  for (const at of seen.keys()) {
    const likely = classifier.read(toFeatures(seen, at, found.at(-1) ?? ''))
    found.push(mostLikely(likely, at === 0 ? firstLabels : labels))
  }
  return found
}
