import type { Ranked } from './rank.ts'

/** A listing by its place, with the cosine of the angle between its meaning and the request's. */
type NearPlace = { place: number; similarity: number }

/**
 * One order out of words and meanings, by score. Cosines of unrelated texts differ from model to model, so a meaning counts by how
 * far it is above the median of those found: a model that tells listings badly apart adds little.
 * @param words listings with their scores by words
 * @param meanings the nearest listings, nearest first
 */
export const fuse = (words: Ranked[], meanings: NearPlace[]): { place: number; score: number }[] => {
  const median = meanings[meanings.length >> 1]?.similarity ?? 0
  const scores = new Map(words.map(it => [it.place, it.score]))
  for (const { place, similarity } of meanings) scores.set(place, (scores.get(place) ?? 0) + Math.max(0, similarity - median))
  const fused = [...scores].map(([place, score]) => ({ place, score: Math.min(1, score) }))
  return fused.sort((a, b) => b.score - a.score)
}
