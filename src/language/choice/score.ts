import type { Evidence } from './evidence.ts'
import fitted from './weights.json' with { type: 'json' }

/** A logistic regression. Each feature has a weight, and its mean and standard deviation in the training data. */
export type ChoiceWeights = { bias: number; features: Record<string, number[]> }

/** Returns the probability (0–1) that the user means the listing with these features. */
export const toProbability = (evidence: Evidence, { bias, features }: ChoiceWeights = fitted): number => {
  let sum = bias
  for (const [name, [weight = 0, mean = 0, deviation = 1]] of Object.entries(features))
    sum += weight * (((evidence[name] ?? 0) - mean) / deviation)
  return 1 / (1 + Math.exp(-sum))
}
