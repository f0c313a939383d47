import { isListed } from '../domain/offering.ts'
import { createCoverage, isStopWord, toWords } from '../domain/words.ts'
import type { Clock, Found, Indexed, Search } from '../ports.ts'
import { openCensus } from './census.ts'
import { fromText, toOwnTerms } from './fields.ts'
import { requestWords, toRequest } from './request.ts'
import { hit, hitColumns, toAgentKey, toKey, toRow } from './row.ts'
import { createScore } from './score.ts'
import type { Statistics } from './statistics.ts'
import { openOrCreate } from './table.ts'
import { createWrites } from './writes.ts'

/** Words that the full-text index is asked for: the rarest of a request; what a long one says beside them is in most listings. */
const askedWords = 16
/** Finds that are ranked anew: what stands behind so many by its words alone is never first. More would cost time. */
const leastPool = 120

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

/** The words that tell listings apart; those of grammar only where a request has no others. */
const toAsked = (text: string, statistics: Statistics): string[] => {
  const said = toWords(text).slice(0, requestWords)
  const meant = said.filter(word => !isStopWord(word))
  const known = [...new Set(meant.length > 0 ? meant : said)].filter(word => statistics.countOf(word) > 0)
  return known.sort((a, b) => statistics.countOf(a) - statistics.countOf(b)).slice(0, askedWords)
}

/**
 * Search over offerings in a LanceDB folder: its full-text index finds a pool of listings, which are ranked by their words,
 * pairs and parts of words. The folder is a projection: it can be deleted at any time, and `count` tells when it has to be
 * filled again. It is lexical: it finds words, in any English inflection, not meanings. One process at a time may hold a folder.
 */
export const openSearch = async ({ dir, clock }: { dir: string; clock: Clock }): Promise<Search> => {
  const { table, close } = await openOrCreate(dir)
  const census = await openCensus(table)
  const writes = createWrites({ table, clock, onRows: census.add })

  const findPool = async (words: string[], condition: string, limit: number) => {
    const query = table
      .query()
      .fullTextSearch(words.join(' '), { columns: ['terms'] })
      .select(hitColumns)
      .limit(Math.max(limit, leastPool))
    return hit.array().parse(await (condition ? query.where(condition) : query).toArray())
  }

  return {
    async put(listings: Indexed[]) {
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
      const condition = toCondition(query)
      await writes.calm()
      const statistics = census.current()
      const words = toAsked(query.text, statistics)
      if (words.length === 0 || condition === undefined) return []
      const scoreOf = createScore(toRequest(query.text, statistics), statistics.averageLength())
      const coverageOf = createCoverage(query.text)
      const pool = await findPool(words, condition, query.limit)
      const scored = pool.map(({ agentId, offeringId, fields: text }) => {
        const fields = fromText(text)
        return { agentId, offeringId, fields, ...scoreOf(fields) }
      })
      const best = scored.sort((a, b) => b.score - a.score).slice(0, query.limit)
      return best.map(
        ({ agentId, offeringId, fields, score, explain }): Found => ({
          ...{ agentId, offeringId, score, coverage: coverageOf(toOwnTerms(fields)) },
          ...(query.explain && { explanation: explain() }),
        }),
      )
    },

    count: () => table.countRows(),

    async close() {
      await writes.close()
      close()
    },
  }
}
