import type { Evidence } from './evidence.ts'
import fitted from './weights.json' with { type: 'json' }

/** A logistic regression over evidence: of each number its weight, mean and standard deviation in the data it was fitted on. */
export type ChoiceWeights = { bias: number; features: Record<string, number[]> }

/** The probability (0–1) that a listing of this evidence is one the user means. */
export const toProbability = (evidence: Evidence, { bias, features }: ChoiceWeights = fitted): number => {
  let sum = bias
  for (const [name, [weight = 0, mean = 0, deviation = 1]] of Object.entries(features))
    sum += weight * (((evidence[name] ?? 0) - mean) / deviation)
  return 1 / (1 + Math.exp(-sum))
}
