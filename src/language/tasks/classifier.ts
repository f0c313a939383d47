import { createRandom } from '../../domain/random.ts'

// A softmax regression over named features, trained with AdaGrad. It is small: hundreds of examples, a few classes.

/** An example: the names of its features, and its class. */
export type Example<C extends string> = { features: readonly string[]; label: C }

export type Classifier<C extends string> = {
  /** The probability (0–1) of each class. */
  read(features: readonly string[]): Record<C, number>
}

const epochs = 10
const step = 0.2
const decay = 1e-3
const firstSquare = 1e-6
/** A feature of fewer examples teaches only those. */
const leastCount = 3
const seed = 20_260_701

const softmax = (scores: Float64Array): Float64Array => {
  const top = Math.max(...scores)
  const raised = scores.map(it => Math.exp(it - top))
  const sum = raised.reduce((a, b) => a + b, 0)
  return raised.map(it => it / sum)
}

/** The weights of all features, one row each. */
type Table = { weights: Float64Array; squares: Float64Array; width: number }

const scoresOf = ({ weights, width }: Table, rows: readonly number[]): Float64Array => {
  const scores = new Float64Array(width)
  for (const row of rows) for (let k = 0; k < width; k += 1) scores[k] = (scores[k] ?? 0) + (weights[row * width + k] ?? 0)
  return scores
}

/** One gradient step for one example. */
const learn = (table: Table, rows: readonly number[], label: number): void => {
  const { weights, squares, width } = table
  const likely = softmax(scoresOf(table, rows))
  for (const row of rows)
    for (let k = 0; k < width; k += 1) {
      const at = row * width + k
      const slope = (likely[k] ?? 0) - (k === label ? 1 : 0) + decay * (weights[at] ?? 0)
      squares[at] = (squares[at] ?? 0) + slope * slope
      weights[at] = (weights[at] ?? 0) - (step * slope) / Math.sqrt(squares[at] ?? 1)
    }
}

const shuffle = (order: number[], random: () => number): void => {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    const kept = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = kept
  }
}

/** Trains a classifier. The same examples in the same order always give the same weights. */
export const train = <C extends string>(classes: readonly C[], examples: readonly Example<C>[]): Classifier<C> => {
  const places = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const it of examples) for (const name of it.features) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const [name, count] of counts) if (count >= leastCount) places.set(name, places.size)
  const rowsOf = (features: readonly string[]) => features.flatMap(name => places.get(name) ?? [])
  const known = examples.map(it => ({ rows: rowsOf(it.features), label: classes.indexOf(it.label) }))
  const width = classes.length
  const cells = places.size * width
  const table = { weights: new Float64Array(cells), squares: new Float64Array(cells).fill(firstSquare), width }
  const order = [...known.keys()]
  const random = createRandom(seed)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(order, random)
    for (const at of order) learn(table, known[at]?.rows ?? [], known[at]?.label ?? 0)
  }
  return {
    read: features => {
      const likely = softmax(scoresOf(table, rowsOf(features)))
      // Every class has its entry.
      return Object.fromEntries(classes.map((name, k) => [name, likely[k] ?? 0])) as Record<C, number>
    },
  }
}
