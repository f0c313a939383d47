// A softmax regression over named features. It is small: hundreds of examples, a few classes.

/** The weights of each feature, one for each class, in thousandths. */
export type Weights = Readonly<Record<string, readonly number[]>>

export type Classifier<C extends string> = {
  /** The probability (0–1) of each class. */
  read(features: readonly string[]): Record<C, number>
}

const unit = 1_000

export const softmax = (scores: Float64Array): Float64Array => {
  const top = Math.max(...scores)
  const raised = scores.map(it => Math.exp(it - top))
  const sum = raised.reduce((a, b) => a + b, 0)
  return raised.map(it => it / sum)
}

/** Creates a classifier from weights that were trained before. Features without a weight tell nothing. */
export const toClassifier = <C extends string>(classes: readonly C[], weights: Weights): Classifier<C> => {
  const byFeature = new Map(Object.entries(weights))
  return {
    read: features => {
      const scores = new Float64Array(classes.length)
      for (const name of features)
        for (const [k, weight] of (byFeature.get(name) ?? []).entries()) scores[k] = (scores[k] ?? 0) + weight / unit
      const likely = softmax(scores)
      // Every class has its entry.
      return Object.fromEntries(classes.map((name, k) => [name, likely[k] ?? 0])) as Record<C, number>
    },
  }
}
