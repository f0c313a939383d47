/** One row of values with its label and its weight. */
export type Sample = { values: number[]; label: 0 | 1; counts: number }
export type Weights = { bias: number; weights: number[]; means: number[]; deviations: number[] }

const rounds = 30
/** Stops when a step is smaller than this. */
const enough = 1e-7
const sigmoid = (z: number) => 1 / (1 + Math.exp(-z))
const dot = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

/** Solves a symmetric positive definite system in place by Gaussian elimination. The penalty makes pivoting unnecessary. */
const solve = (matrix: number[][], right: number[]): number[] => {
  const size = right.length
  for (let column = 0; column < size; column += 1)
    for (let row = column + 1; row < size; row += 1) {
      const [lead = [], line = []] = [matrix[column], matrix[row]]
      const factor = (line[column] ?? 0) / (lead[column] ?? 1)
      if (factor === 0) continue
      for (let at = column; at < size; at += 1) line[at] = (line[at] ?? 0) - factor * (lead[at] ?? 0)
      right[row] = (right[row] ?? 0) - factor * (right[column] ?? 0)
    }
  const found = new Array<number>(size).fill(0)
  for (let row = size - 1; row >= 0; row -= 1) {
    const line = matrix[row] ?? []
    const rest = line.reduce((sum, value, at) => (at > row ? sum + value * (found[at] ?? 0) : sum), 0)
    found[row] = ((right[row] ?? 0) - rest) / (line[row] ?? 1)
  }
  return found
}

type Row = { x: number[]; label: number; counts: number }

/** One step of Newton's method. */
const toStep = (rows: Row[], found: number[], penalty: number[]): number[] => {
  const size = found.length
  const gradient = found.map((weight, at) => -weight * (penalty[at] ?? 0))
  // The matrix is symmetric, so only one half is computed.
  const half = new Float64Array(size * size)
  for (const { x, label, counts } of rows) {
    const p = sigmoid(dot(x, found))
    for (let at = 0; at < size; at += 1) {
      const value = x[at] ?? 0
      gradient[at] = (gradient[at] ?? 0) + counts * (label - p) * value
      const weighed = counts * p * (1 - p) * value
      for (let other = at; other < size; other += 1) {
        const place = at * size + other
        half[place] = (half[place] ?? 0) + weighed * (x[other] ?? 0)
      }
    }
  }
  const whole = found.map((_, at) => found.map((__, other) => half[Math.min(at, other) * size + Math.max(at, other)] ?? 0))
  for (const [at, line] of whole.entries()) line[at] = (line[at] ?? 0) + (penalty[at] ?? 0)
  return solve(whole, gradient)
}

/**
 * Fits a logistic regression by Newton's method; the same rows always give the same weights.
 * @param strength inverse of the penalty on the square of the weights, on standardised values
 */
export const fitLogistic = (samples: Sample[], strength: number): Weights => {
  const size = samples[0]?.values.length ?? 0
  const column = (at: number) => samples.map(it => it.values[at] ?? 0)
  const means = Array.from({ length: size }, (_, at) => column(at).reduce((a, b) => a + b, 0) / samples.length)
  const deviations = means.map((mean, at) => {
    const variance = column(at).reduce((sum, value) => sum + (value - mean) ** 2, 0) / samples.length
    return Math.sqrt(variance) || 1
  })
  const rows = samples.map(({ values, label, counts }) => ({
    label,
    counts,
    x: [...standardise(values, { means, deviations }), 1],
  }))
  const penalty = Array.from({ length: size + 1 }, (_, at) => (at < size ? 1 / strength : 1e-6))
  let found = new Array<number>(size + 1).fill(0)
  for (let round = 0; round < rounds; round += 1) {
    const step = toStep(rows, found, penalty)
    found = found.map((weight, at) => weight + (step[at] ?? 0))
    if (Math.max(...step.map(Math.abs)) < enough) break
  }
  return { bias: found[size] ?? 0, weights: found.slice(0, size), means, deviations }
}

const standardise = (values: number[], { means, deviations }: Pick<Weights, 'means' | 'deviations'>) =>
  values.map((value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1))
