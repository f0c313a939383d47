import { createRandom } from '../../domain/random.ts'
import { type Act, acts, canBeSaid, type Reading, type Situation } from '../../domain/runs/acts.ts'
import { type Features, tableSize, toEntries, toFeatures, toNamed } from './features.ts'

/** A training example: a sentence in one of its situations. `share` is 1 divided by the number of its situations. */
export type Row = { text: string; situation: Situation; act: Act; share: number }

/**
 * Weights of the softmax regression. `table` has a row for each hashed feature and a column for each act. `rarity` holds the
 * inverse document frequency of each feature.
 */
export type Weights = { table: Float32Array<ArrayBuffer>; rarity: Float32Array<ArrayBuffer> }

const step = 0.5
const decay = 1e-5
const epochs = 15
const balance = 0.7
const minError = 0.004
const wellKnown = 0.98
const seed = 20_260_701

const shuffle = (order: Uint32Array, random: () => number) => {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    const kept = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = kept
  }
}

const toRarity = (named: ReturnType<typeof toNamed>[]): Float32Array<ArrayBuffer> => {
  const documents = new Float32Array(tableSize)
  for (const it of named) for (const at of toEntries(it)) documents[at] = (documents[at] ?? 0) + 1
  return documents.map(it => Math.log((1 + named.length) / (1 + it)) + 1)
}

const scoresOf = (table: Float32Array, { at, value }: Features): Float64Array => {
  const scores = new Float64Array(acts.length)
  for (let i = 0; i < at.length; i += 1) {
    const from = (at[i] ?? 0) * acts.length
    const x = value[i] ?? 0
    for (let k = 0; k < acts.length; k += 1) scores[k] = (scores[k] ?? 0) + (table[from + k] ?? 0) * x
  }
  return scores
}

/** Converts scores to probabilities. An impossible act gets the probability 0. */
const softmax = (scores: Float64Array, isPossible: (act: Act) => boolean): Float64Array => {
  const possible = acts.map(isPossible)
  const top = Math.max(...scores.filter((_, k) => possible[k]))
  const raised = scores.map((it, k) => (possible[k] ? Math.exp(it - top) : 0))
  const sum = raised.reduce((a, b) => a + b, 0)
  return raised.map(it => it / sum)
}

/** Trains the classifier with AdaGrad. The same rows always give the same weights. Examples of rare acts get a higher weight. */
export const train = (rows: Row[]): Weights => {
  const named = rows.map(({ text, situation }) => toNamed(text, situation))
  const rarity = toRarity(named)
  const features = named.map(it => toFeatures(it, at => rarity[at] ?? 1))
  const total = rows.reduce((sum, it) => sum + it.share, 0)
  const ofAct = new Map(acts.map(act => [act, rows.reduce((sum, it) => sum + (it.act === act ? it.share : 0), 0)]))
  const weightOf = ({ act, share }: Row) => share * (total / acts.length / Math.max(1, ofAct.get(act) ?? 1)) ** balance
  const table = new Float32Array(tableSize * acts.length)
  const squares = new Float32Array(tableSize * acts.length).fill(1e-8)
  const order = Uint32Array.from(rows.keys())
  const random = createRandom(seed)
  const restUntil = new Uint8Array(rows.length)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(order, random)
    for (const index of order) {
      const [row, it] = [rows[index], features[index]]
      // A row that is predicted well is skipped in the next two epochs.
      if (!row || !it || epoch < (restUntil[index] ?? 0)) continue
      const likelihood = learn({ table, squares }, it, { row, weight: weightOf(row) })
      if (likelihood > wellKnown) restUntil[index] = epoch + 3
    }
  }
  return { table, rarity }
}

type Learning = { table: Float32Array; squares: Float32Array }

/** One gradient step for one row. @returns the probability of the row's act before the step */
const learn = ({ table, squares }: Learning, it: Features, { row, weight }: { row: Row; weight: number }): number => {
  const likely = softmax(scoresOf(table, it), () => true)
  const errors = likely.map((p, k) => (p - (acts[k] === row.act ? 1 : 0)) * weight)
  // Acts with a negligible error are skipped: they change the weights little and take most of the time.
  const wrong = [...errors.keys()].filter(k => Math.abs(errors[k] ?? 0) > minError)
  for (let i = 0; i < it.at.length; i += 1) {
    const from = (it.at[i] ?? 0) * acts.length
    const x = it.value[i] ?? 0
    for (const k of wrong) {
      const slope = (errors[k] ?? 0) * x + decay * (table[from + k] ?? 0)
      squares[from + k] = (squares[from + k] ?? 0) + slope * slope
      table[from + k] = (table[from + k] ?? 0) - (step * slope) / Math.sqrt(squares[from + k] ?? 1)
    }
  }
  return likely[acts.indexOf(row.act)] ?? 0
}

/**
 * Returns the most probable act of a message among those possible in its situation, its probability (0–1), and the second most
 * probable act.
 */
export const classify = ({ table, rarity }: Weights, text: string, situation: Situation): Reading => {
  const features = toFeatures(toNamed(text, situation), at => rarity[at] ?? 1)
  const likely = softmax(scoresOf(table, features), act => canBeSaid(act, text, situation))
  const [first = 0, second = 0] = [...acts.keys()].sort((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0))
  return { act: acts[first] ?? 'task', sure: likely[first] ?? 0, other: acts[second] ?? 'task' }
}
