import { writeFile } from 'node:fs/promises'
import { createRandom } from '../../../src/domain/random.ts'
import { softmax, type Weights } from '../../../src/language/tasks/classifier.ts'
import { see, toFeatures } from '../../../src/language/tasks/features.ts'
import { type Label, labels } from '../../../src/language/tasks/labels.ts'
import { toPieces } from '../../../src/language/tasks/pieces.ts'
import { candidatesIn, type Is, isTaken, toTakeFeatures } from '../../../src/language/tasks/takes.ts'
import { type Labelled, readExamples } from './examples.ts'

// Trains the weights by which the tasks of a message are read, from the examples in `prompts/plans`.

/** An example: the names of its features, and its class. */
type Example<C extends string> = { features: readonly string[]; label: C }

const epochs = 10
const step = 0.2
const decay = 1e-3
const firstSquare = 1e-6
/** A feature of fewer examples teaches only those. */
const leastCount = 3
const seed = 20_260_701

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

/** Trains weights with AdaGrad. The same examples in the same order always give the same weights. */
const train = <C extends string>(classes: readonly C[], examples: readonly Example<C>[]): Weights => {
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
  const toThousandths = (row: number) =>
    Array.from(table.weights.subarray(row * width, (row + 1) * width), it => Math.round(it * 1_000))
  return Object.fromEntries([...places].map(([name, row]) => [name, toThousandths(row)]))
}

const labelRows = ({ units, labels: own }: Labelled): Example<Label>[] => {
  const seen = units.map(see)
  return own.map((label, at) => ({ label, features: toFeatures(seen, at, own[at - 1] ?? '') }))
}

const takeRows = ({ text, units, labels: own, references }: Labelled): Example<Is>[] => {
  const places = toPieces(units, own).map(it => ({ from: it.units[0]?.from ?? 0, to: it.units.at(-1)?.to ?? 0 }))
  const texts = places.map(it => text.slice(it.from, it.to))
  return places.slice(1).flatMap(({ from }, at) => {
    const piece = texts[at + 1] ?? ''
    return candidatesIn(piece).map((it): Example<Is> => {
      const isReference = references.some(one => it.from + from < one.to && it.to + from > one.from)
      return { label: isReference ? 'yes' : 'no', features: toTakeFeatures(it, piece, texts.slice(0, at + 1)) }
    })
  })
}

/** The content of the file of weights, one feature a line. */
export const trainWeights = (): string => {
  const examples = readExamples()
  const trained = { labels: train(labels, examples.flatMap(labelRows)), takes: train(isTaken, examples.flatMap(takeRows)) }
  const parts = Object.entries(trained).map(([name, weights]) => {
    const lines = Object.entries(weights).map(([feature, row]) => `    ${JSON.stringify(feature)}: [${row.join(', ')}]`)
    return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}

export const weightsFile = new URL('../../../src/language/tasks/weights.json', import.meta.url)

/** Writes the file of weights anew. */
export const writeTaskWeights = (): Promise<void> => writeFile(weightsFile, trainWeights())
