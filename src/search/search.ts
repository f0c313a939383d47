import { isListed } from '../domain/offering.ts'
import { createCoverage, isStopWord, toWords } from '../domain/words.ts'
import type { Clock, Embeddings, Found, Indexed, Search } from '../ports.ts'
import { openCensus } from './census.ts'
import { type Fields, fromText, toOwnTerms } from './fields.ts'
import { fuse } from './fuse.ts'
import { createPool } from './pool.ts'
import { requestWords, toRequest } from './request.ts'
import { type Hit, type Row, toAgentKey, toKey, toRow } from './row.ts'
import { createScore } from './score.ts'
import type { Statistics } from './statistics.ts'
import { openOrCreate } from './table.ts'
import { openVectors } from './vectors.ts'
import { createWrites } from './writes.ts'

/** Words that the full-text index is asked for: the rarest of a request; what a long one says beside them is in most listings. */
const askedWords = 24
/** Listings that the full-text index goes through for one request: its rarest words within this bound, and one in any case. */
const askedRows = 8_000
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
  const rarest = known.sort((a, b) => statistics.countOf(a) - statistics.countOf(b)).slice(0, askedWords)
  let rows = 0
  return rarest.filter((word, at) => {
    rows += statistics.countOf(word)
    return at === 0 || rows <= askedRows
  })
}

type Scored = Hit & { words: Fields } & ReturnType<ReturnType<typeof createScore>>
type Pools = {
  hits: Hit[]
  /** Listings that are near in meaning and have none of the words. */
  meant: Hit[]
  /** Keys by meaning, nearest first. */
  near: string[]
  scoreOf: ReturnType<typeof createScore>
}

/** Best first: by score, and where meanings are known by the ranks in both orders. */
const order = ({ hits, meant, near, scoreOf }: Pools): Scored[] => {
  const score = (it: Hit): Scored => {
    const words = fromText(it.fields)
    return { ...it, words, ...scoreOf(words) }
  }
  const byScore = hits.map(score).sort((a, b) => b.score - a.score)
  if (near.length === 0) return byScore
  const byKey = new Map([...byScore, ...meant.map(score)].map(it => [it.key, it]))
  return fuse([byScore.map(it => it.key), near]).flatMap(key => byKey.get(key) ?? [])
}

const toFound = ({ text, explain: isExplained }: Query, scored: Scored[]): Found[] => {
  const coverageOf = createCoverage(text)
  return scored.map(({ agentId, offeringId, words, score, explain }) => ({
    ...{ agentId, offeringId, score, coverage: coverageOf(toOwnTerms(words)) },
    ...(isExplained && { explanation: explain() }),
  }))
}

type Place = { dir: string; clock: Clock; embeddings?: Embeddings | undefined }

/**
 * Search over offerings in a LanceDB folder: its full-text index finds a pool of listings, which are ranked by their words,
 * pairs and parts of words. The folder is a projection: it can be deleted at any time, and `count` tells when it has to be
 * filled again. It finds words, in any English inflection; meanings only where a provider of embeddings is given, whose
 * order is fused by rank with that of the words. One process at a time may hold a folder.
 */
export const openSearch = async ({ dir, clock, embeddings }: Place): Promise<Search> => {
  const { table, connection, close } = await openOrCreate(dir)
  const census = await openCensus(table)
  const vectors = embeddings && (await openVectors({ connection, listings: table, embeddings }))
  const onRows = (rows: Row[]) => {
    census.add(rows)
    vectors?.add(rows)
  }
  const writes = createWrites({ table, clock, onRows })
  const pool = createPool(table)

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
      if (condition === undefined) return []
      await writes.calm()
      const statistics = census.current()
      const limit = Math.max(query.limit, leastPool)
      const [hits, near] = await Promise.all([
        pool.byWords(toAsked(query.text, statistics), condition, limit),
        vectors?.nearest(query.text, limit) ?? [],
      ])
      const known = new Set(hits.map(it => it.key))
      const unknown = near.filter(key => !known.has(key))
      const meant = await pool.byKeys(unknown, condition)
      const scoreOf = createScore(toRequest(query.text, statistics), statistics.averageLength())
      return toFound(query, order({ hits, meant, near, scoreOf }).slice(0, query.limit))
    },

    count: () => table.countRows(),

    async close() {
      await writes.close()
      await census.close()
      await vectors?.close()
      close()
    },
  }
}
