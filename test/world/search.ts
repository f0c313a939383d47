import { isListed, type Listing, toSearchText } from '../../src/domain/offerings/offering.ts'
import { toCoverage, toTerms } from '../../src/language/words/words.ts'
import type { Search } from '../../src/ports.ts'

type Row = { listing: Listing; terms: Set<string> }

/** A search index in memory that finds every listing with a word of the query. It outlives a process, as a directory does. */
export type MemorySearch = Search & {
  rows: Map<string, Row>
  /** While true, writes are delayed, so that the index is behind. */
  isBehind: boolean
  catchUp(): void
}

export const createMemorySearch = (): MemorySearch => {
  const rows = new Map<string, Row>()
  let behind: (() => void)[] = []
  let mark: number | undefined

  const write = (apply: () => void) => {
    if (model.isBehind) behind.push(apply)
    else apply()
  }

  const putOne = (listing: Listing) => {
    const key = `${listing.agentId}/${listing.id}`
    const before = rows.get(key)
    if (before && before.listing.version > listing.version) return
    if (isListed(listing)) rows.set(key, { listing, terms: new Set(toTerms(toSearchText(listing))) })
    else rows.delete(key)
  }

  const removeAgent = (agentId: string, except: Set<string>) => {
    for (const [key, { listing }] of rows) if (listing.agentId === agentId && !except.has(listing.id)) rows.delete(key)
  }

  const model: MemorySearch = {
    rows,
    isBehind: false,
    catchUp() {
      model.isBehind = false
      const waiting = behind
      behind = []
      for (const apply of waiting) apply()
    },
    put: async listings => write(() => listings.forEach(putOne)),
    remove: async (agentId, except = []) => write(() => removeAgent(agentId, new Set(except.map(it => it.id)))),
    search: async ({ text, chainId, maxPrice, limit }) =>
      [...rows.values()]
        .filter(({ listing }) => chainId === undefined || listing.chainId === chainId)
        .filter(({ listing }) => maxPrice === undefined || Number(listing.price) <= Number(maxPrice))
        .map(({ listing, terms }) => ({ agentId: listing.agentId, offeringId: listing.id, coverage: toCoverage(text, terms) }))
        .filter(it => it.coverage > 0)
        .map(it => ({ ...it, score: it.coverage }))
        .sort((a, b) => b.score - a.score || (a.agentId < b.agentId ? -1 : 1))
        .slice(0, limit),
    count: async () => rows.size,
    mark: async () => mark,
    setMark: async next => {
      mark = next
    },
    close: async () => undefined,
  }

  return model
}
