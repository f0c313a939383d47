import type { Ranked } from './rank.ts'

/** A listing, with the cosine similarity between its embedding and that of the request. */
type NearPlace = { place: number; similarity: number }

/**
 * Combines keyword scores and embedding similarities into one order. Similarities of unrelated texts differ between models, so
 * only the excess over the median counts. A model that separates listings badly therefore adds little.
 * @param words listings with their keyword scores
 * @param meanings the nearest listings by embedding, nearest first
 */
export const fuse = (words: Ranked[], meanings: NearPlace[]): { place: number; score: number }[] => {
  const median = meanings[meanings.length >> 1]?.similarity ?? 0
  const scores = new Map(words.map(it => [it.place, it.score]))
  for (const { place, similarity } of meanings) scores.set(place, (scores.get(place) ?? 0) + Math.max(0, similarity - median))
  const fused = [...scores].map(([place, score]) => ({ place, score: Math.min(1, score) }))
  return fused.sort((a, b) => b.score - a.score)
}
