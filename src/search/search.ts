import { isListed, type Listing } from '../domain/offering.ts'
import { toCoverage, toTerms } from '../domain/words.ts'
import type { Clock, Search } from '../ports.ts'
import { hit, hitColumns, toAgentKey, toKey, toRow } from './row.ts'
import { openOrCreate } from './table.ts'
import { createWrites } from './writes.ts'

/** A request is at most a few sentences; what comes after is content, and every further term costs time. */
const queryTerms = 64

type Query = Parameters<Search['search']>[0]

/**
 * The condition of a query in SQL; it holds numbers only.
 * @returns undefined when a bound is no number, so that nothing may be found
 */
const toCondition = ({ chainId, maxPrice }: Query): string | undefined => {
  if (chainId !== undefined && !Number.isSafeInteger(chainId)) return undefined
  if (maxPrice !== undefined && !/^\d{1,18}(\.\d{1,18})?$/.test(maxPrice)) return undefined
  const chain = chainId === undefined ? [] : [`chain = ${chainId}`]
  const price = maxPrice === undefined ? [] : [`price <= ${Number(maxPrice).toFixed(18)}`]
  return [...chain, ...price].join(' AND ')
}

/**
 * Full-text search over offerings in a LanceDB folder. The folder is a projection: it can be deleted at any time, and
 * `count` tells when it has to be filled again. It is lexical: it finds words, in any English inflection, not meanings.
 * One process at a time may hold a folder.
 */
export const openSearch = async ({ dir, clock }: { dir: string; clock: Clock }): Promise<Search> => {
  const { table, close } = await openOrCreate(dir)
  const writes = createWrites({ table, clock })

  const rank = async (terms: string[], condition: string, limit: number) => {
    const query = table
      .query()
      .fullTextSearch(terms.join(' '), { columns: ['terms'] })
      .select(hitColumns)
      .limit(limit)
    return hit.array().parse(await (condition ? query.where(condition) : query).toArray())
  }

  return {
    async put(listings: Listing[]) {
      const newest = [...new Map(listings.toSorted((a, b) => a.version - b.version).map(it => [toKey(it), it])).values()]
      const rows = newest.filter(isListed).map(toRow)
      const gone = newest.filter(it => !isListed(it)).map(toKey)
      await Promise.all([
        rows.length > 0 && writes.write({ rows: new Map(rows.map(row => [row.key, row])) }),
        gone.length > 0 && writes.write({ gone }),
      ])
    },

    remove: (agentId, except = []) => writes.write({ agentKey: toAgentKey(agentId), except: except.map(toKey) }),

    async search(query) {
      const terms = toTerms(query.text).slice(0, queryTerms)
      const condition = toCondition(query)
      if (terms.length === 0 || condition === undefined) return []
      await writes.calm()
      const hits = await rank(terms, condition, query.limit)
      return hits.map(it => ({
        agentId: it.agentId,
        offeringId: it.offeringId,
        score: it._score,
        coverage: toCoverage(query.text, new Set(it.terms.split(' '))),
      }))
    },

    count: () => table.countRows(),

    async close() {
      await writes.close()
      close()
    },
  }
}
