import { setImmediate as otherWork } from 'node:timers/promises'
import { toPassages } from '../../language/text/passages.ts'
import type { Found, Search } from '../../ports.ts'

/** Factor for the score of a part of a request, because a part says less than the whole. */
const partShare = 0.8

type Query = Parameters<Search['search']>[0]

const keyOf = ({ agentId, offeringId }: Found) => JSON.stringify([agentId, offeringId])

/** Searches with the whole request and with each of its parts. Each listing keeps its best score; best first. */
export const searchPassages = async (search: Pick<Search, 'search'>, query: Query): Promise<Found[]> => {
  const [whole = query.text, ...parts] = toPassages(query.text)
  const found = await search.search({ ...query, text: whole })
  if (parts.length === 0) return found
  const best = new Map(found.map(it => [keyOf(it), it]))
  for (const text of parts) {
    // Each search keeps the event loop for some milliseconds.
    await otherWork()
    for (const hit of await search.search({ ...query, text })) {
      const before = best.get(keyOf(hit))
      const coverage = Math.max(hit.coverage, before?.coverage ?? 0)
      const score = hit.score * partShare
      best.set(keyOf(hit), before && before.score >= score ? { ...before, coverage } : { ...hit, score, coverage })
    }
  }
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, query.limit)
}
