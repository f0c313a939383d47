import { toOutsideText } from '../../domain/x402/outsideWords.ts'
import type { Supply } from '../deps.ts'
import type { Deps } from '../operation.ts'

/** How many resources are named, and the share (0–1) of the words of a task that each has. */
const [mostNamed, minCoverage] = [3, 0.5]

type Want = Omit<Parameters<Supply['find']>[1], 'limit'>

/** Names resources of other services that do what the market does not; empty where none is known. Nothing is bought by it. */
export const nameOutside = async (deps: Deps, want: Want): Promise<string> => {
  const found = (await deps.supply?.find(deps, { ...want, limit: mostNamed })) ?? []
  return toOutsideText(found.filter(it => it.coverage >= minCoverage))
}
