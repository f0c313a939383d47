/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): what is high in either list comes first. */
const fusionRank = 60

/** One order out of several, by rank alone, since their scores are not comparable. */
export const fuse = (lists: number[][]): number[] => {
  const sums = new Map<number, number>()
  for (const list of lists)
    for (const [at, place] of list.entries()) sums.set(place, (sums.get(place) ?? 0) + 1 / (fusionRank + at + 1))
  return [...sums].sort(([, a], [, b]) => b - a).map(([place]) => place)
}
