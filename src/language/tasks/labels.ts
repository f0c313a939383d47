import { type Classifier, train } from './classifier.ts'
import { type Label, type Labelled, labels, readExamples } from './examples.ts'
import { type Seen, see, toFeatures } from './features.ts'
import type { Unit } from './units.ts'

const toRows = ({ units, labels: own }: Labelled) => {
  const seen = units.map(see)
  return own.map((label, at) => ({ label, features: toFeatures(seen, at, own[at - 1] ?? '') }))
}

/** Trains the classifier of units. */
export const trainLabels = (examples: readonly Labelled[]): Classifier<Label> => train(labels, examples.flatMap(toRows))

let known: Classifier<Label> | undefined
const classifier = () => {
  known ??= trainLabels(readExamples())
  return known
}

const mostLikely = (likely: Record<Label, number>, possible: readonly Label[]): Label =>
  possible.reduce((best, it) => (likely[it] > likely[best] ? it : best), possible[0] ?? 'more')

const firstLabels: readonly Label[] = ['task', 'context', 'frame']

/** Labels the units of a message in order. The label of a unit is a feature of the next one. */
export const toLabels = (units: readonly Unit[], by: Classifier<Label> = classifier()): Label[] => {
  const seen: Seen[] = units.map(see)
  const found: Label[] = []
  for (const at of seen.keys()) {
    const likely = by.read(toFeatures(seen, at, found.at(-1) ?? ''))
    found.push(mostLikely(likely, at === 0 ? firstLabels : labels))
  }
  return found
}
