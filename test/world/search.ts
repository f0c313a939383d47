import { isListed, type Listing, toSearchText } from '../../src/domain/offerings/offering.ts'
import { toCoverage, toTerms } from '../../src/language/words/words.ts'
import type { Search } from '../../src/ports.ts'

/** An in-memory index that finds every listing with a word of the query. */
export const createMemorySearch = (): Search & { rows: Map<string, Listing> } => {
  const rows = new Map<string, Listing>()
  let mark: number | undefined
  return {
    rows,
    async put(listings) {
      for (const it of listings.filter(isListed)) rows.set(`${it.agentId} ${it.id}`, it)
    },
    async remove(agentId, except = []) {
      const kept = new Set(except.map(it => it.id))
      for (const [key, it] of rows) if (it.agentId === agentId && !kept.has(it.id)) rows.delete(key)
    },
    async search({ text, chainId, maxPrice = 'Infinity', limit }) {
      return [...rows.values()]
        .filter(it => (chainId === undefined || it.chainId === chainId) && Number(it.price) <= Number(maxPrice))
        .map(it => ({ agentId: it.agentId, offeringId: it.id, coverage: toCoverage(text, new Set(toTerms(toSearchText(it)))) }))
        .filter(it => it.coverage > 0)
        .sort((a, b) => b.coverage - a.coverage)
        .slice(0, limit)
        .map(it => ({ ...it, score: it.coverage }))
    },
    count: async () => rows.size,
    mark: async () => mark,
    setMark: async next => {
      mark = next
    },
    close: async () => undefined,
  }
}
