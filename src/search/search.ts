import type { Table } from '@lancedb/lancedb'
import { z } from 'zod'
import { isListed } from '../domain/offerings/offering.ts'
import { toMeaning } from '../language/words/words.ts'
import type { Clock, Embeddings, Found, Indexed, Search } from '../ports.ts'
import { explain } from './explain.ts'
import { fuse } from './fuse.ts'
import type { Lexicon } from './lexicon.ts'
import { openMarks } from './marks.ts'
import { type Change, openMirror } from './mirror.ts'
import { type Ranked, rank } from './rank.ts'
import { type Part, toParts } from './request.ts'
import { toAgentKey, toKey, toRow } from './row.ts'
import { openOrCreate } from './table.ts'
import { type Near, openVectors } from './vectors.ts'
import { createWrites, toSet } from './writes.ts'

/** Minimum number of listings that are requested by embedding. With fewer, their median similarity would mean little. */
const minNear = 120

type Query = Parameters<Search['search']>[0]

/**
 * Returns a function that tells whether a listing satisfies the filters of a query. Undefined when `maxPrice` is not a number;
 * then nothing matches.
 */
const toFilter = ({ chainId, maxPrice }: Query, lexicon: Lexicon): ((place: number) => boolean) | undefined => {
  if (maxPrice !== undefined && !/^\d{1,18}(\.\d{1,18})?$/.test(maxPrice)) return undefined
  const most = maxPrice === undefined ? Number.POSITIVE_INFINITY : Number(maxPrice)
  return place => {
    const listing = lexicon.at(place)
    return listing !== undefined && (chainId === undefined || listing.chain === chainId) && listing.price <= most
  }
}

type Asked = { query: Query; lexicon: Lexicon; parts: Part[]; near: Near[] }

/** Ranks listings by keyword score, combined with embedding similarity where there is one. Best first. */
const order = ({ query, lexicon, parts, near }: Asked): Ranked[] => {
  const isWanted = toFilter(query, lexicon)
  if (!isWanted) return []
  const { best, toRanked } = rank({ parts, lexicon, limit: Math.max(query.limit, near.length), isWanted })
  if (near.length === 0) return best
  const meanings = near.flatMap(({ key, similarity }) => {
    const place = lexicon.placeOf(key)
    return place !== undefined && isWanted(place) ? [{ place, similarity }] : []
  })
  return fuse(best, meanings)
    .map(({ place, score }) => ({ ...toRanked(place), score }))
    .slice(0, query.limit)
}

const read = z.object({ key: z.string(), fields: z.string() })

/** Reads the stored fields of some listings, by place. */
const readTexts = async (table: Table, lexicon: Lexicon, ranked: Ranked[]): Promise<Map<number, string>> => {
  const keys = ranked.flatMap(it => lexicon.at(it.place)?.key ?? [])
  if (keys.length === 0) return new Map()
  const rows = await table
    .query()
    .where(`key IN ${toSet(keys)}`)
    .select(Object.keys(read.shape))
    .toArray()
  return new Map(
    read
      .array()
      .parse(rows)
      .flatMap(({ key, fields }) => {
        const place = lexicon.placeOf(key)
        return place === undefined ? [] : [[place, fields] as const]
      }),
  )
}

/**
 * Converts ranked places to results. Coverage is the share of the request's words in the listing, or the embedding similarity
 * if that is higher.
 */
const toFound = ({ query, lexicon, near }: Asked, ranked: Ranked[]): Found[] => {
  const meant = toMeaning(query.text).length || 1
  const nearness = new Map(near.map(it => [it.key, it.similarity]))
  return ranked.flatMap(({ place, score, covered }) => {
    const listing = lexicon.at(place)
    if (!listing) return []
    const { key, agentId, offeringId } = listing
    return [{ agentId, offeringId, score, coverage: Math.max(covered / meant, nearness.get(key) ?? 0) }]
  })
}

type Place = { dir: string; clock: Clock; embeddings?: Embeddings | undefined }

/**
 * Opens the search index of offerings in a LanceDB directory. All terms are also held in memory, where listings are ranked. It
 * matches English words in any inflection. With an embedding provider, similarities are added to the keyword scores. The
 * directory can be deleted at any time and rebuilt from the store; `count` tells when that is needed. Only one process may open
 * it at a time.
 */
export const openSearch = async ({ dir, clock, embeddings }: Place): Promise<Search> => {
  const { table, connection, close } = await openOrCreate(dir)
  const marks = await openMarks(dir)
  const mirror = await openMirror(table)
  const vectors = embeddings && (await openVectors({ connection, listings: table, embeddings }))
  const onChange = (change: Change) => {
    mirror.add(change)
    if ('rows' in change) vectors?.add([...change.rows.values()])
  }
  const writes = createWrites({ table, clock, missing: mirror.missing, onChange })

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
      const near = (await vectors?.nearest(query.text, Math.max(query.limit, minNear))) ?? []
      const lexicon = mirror.current()
      const asked = { query, lexicon, parts: toParts(query.text, lexicon), near }
      const ranked = order(asked)
      const found = toFound(asked, ranked)
      if (!query.explain) return found
      const explained = explain(asked.parts, lexicon.taught(), await readTexts(table, lexicon, ranked))
      return found.map((it, at) => {
        const explanation = explained.get(ranked[at]?.place ?? -1)
        return explanation ? { ...it, explanation } : it
      })
    },

    count: () => table.countRows(),
    mark: () => marks.read(),
    setMark: mark => marks.write(mark),

    async close() {
      await writes.close()
      await mirror.close()
      await vectors?.close()
      close()
    },
  }
}
