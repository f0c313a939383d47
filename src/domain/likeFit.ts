/** Scores as near to the best of their group say the same of the fit. */
const likeShare = 0.9

type Scored = { score: number; hasConnected: boolean }

/**
 * The order of candidates, best first: among those of like fit, agents that were seen alive come before those that never
 * connected. The fit itself stays what it is.
 */
export const preferConnected = <T extends Scored>(candidates: readonly T[]): T[] => {
  const rest = candidates.toSorted((a, b) => b.score - a.score)
  const ordered: T[] = []
  while (rest[0]) {
    const least = rest[0].score * likeShare
    const end = rest.findIndex(it => it.score < least)
    const alike = rest.splice(0, end < 0 ? rest.length : end)
    ordered.push(...alike.filter(it => it.hasConnected), ...alike.filter(it => !it.hasConnected))
  }
  return ordered
}
