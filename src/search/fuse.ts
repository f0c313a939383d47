/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): what is high in either list comes first. */
const fusionRank = 60

/** One order out of several, by rank alone, since their scores are not comparable. */
export const fuse = (lists: string[][]): string[] => {
  const sums = new Map<string, number>()
  for (const list of lists)
    for (const [at, key] of list.entries()) sums.set(key, (sums.get(key) ?? 0) + 1 / (fusionRank + at + 1))
  return [...sums].sort(([, a], [, b]) => b - a).map(([key]) => key)
}
