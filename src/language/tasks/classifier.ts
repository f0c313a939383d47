import { createRandom } from '../../domain/random.ts'

// A softmax regression over named features, trained with AdaGrad. It is small: hundreds of examples, a few classes.

/** An example: the names of its features, and its class. */
export type Example<C extends string> = { features: readonly string[]; label: C }

export type Classifier<C extends string> = {
  /** The probability (0–1) of each class. */
  read(features: readonly string[]): Record<C, number>
}

const epochs = 30
const step = 0.3
const decay = 1e-4
const seed = 20_260_701

const softmax = (scores: readonly number[]): number[] => {
  const top = Math.max(...scores)
  const raised = scores.map(it => Math.exp(it - top))
  const sum = raised.reduce((a, b) => a + b, 0)
  return raised.map(it => it / sum)
}

type Cell = { weights: number[]; squares: number[] }

const shuffled = (length: number, random: () => number): number[] =>
  Array.from({ length }, (_, at) => ({ at, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(it => it.at)

/** Trains a classifier. The same examples in the same order always give the same weights. */
export const train = <C extends string>(classes: readonly C[], examples: readonly Example<C>[]): Classifier<C> => {
  const cells = new Map<string, Cell>()
  const zeros = () => classes.map(() => 0)
  const cellOf = (name: string): Cell => {
    const cell = cells.get(name) ?? { weights: zeros(), squares: classes.map(() => 1e-6) }
    cells.set(name, cell)
    return cell
  }
  const scoresOf = (features: readonly string[]): number[] => {
    const scores = zeros()
    for (const name of features) {
      const cell = cells.get(name)
      if (cell) for (const k of classes.keys()) scores[k] = (scores[k] ?? 0) + (cell.weights[k] ?? 0)
    }
    return scores
  }
  const learn = ({ features, label }: Example<C>) => {
    const errors = softmax(scoresOf(features)).map((p, k) => p - (classes[k] === label ? 1 : 0))
    for (const name of features) {
      const { weights, squares } = cellOf(name)
      for (const [k, error] of errors.entries()) {
        const slope = error + decay * (weights[k] ?? 0)
        squares[k] = (squares[k] ?? 0) + slope * slope
        weights[k] = (weights[k] ?? 0) - (step * slope) / Math.sqrt(squares[k] ?? 1)
      }
    }
  }
  const random = createRandom(seed)
  for (let epoch = 0; epoch < epochs; epoch += 1)
    for (const at of shuffled(examples.length, random)) {
      const it = examples[at]
      if (it) learn(it)
    }
  return {
    read: features => {
      const likely = softmax(scoresOf(features))
      // Every class has its entry.
      return Object.fromEntries(classes.map((name, k) => [name, likely[k] ?? 0])) as Record<C, number>
    },
  }
}
