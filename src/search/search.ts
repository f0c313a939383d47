import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { z } from 'zod'
import { isListed } from '../domain/offerings/offering.ts'
import type { Clock, Embeddings, Found, Indexed, Search } from '../ports.ts'
import { type Lexicon, type ownFields, toAmounts } from './lexicon.ts'
import { type Change, openMirror } from './mirror.ts'
import { order, type Ranked, toFound } from './order.ts'
import { exampleShare, type Part, toParts } from './request.ts'
import { fromText, toAgentKey, toKey, toRow } from './row.ts'
import { openOrCreate } from './table.ts'
import { openVectors } from './vectors.ts'
import { createWrites, toSet } from './writes.ts'

type Explanation = NonNullable<Found['explanation']>
type Sums = { words: Map<string, number>; ngrams: number; learned: number }

/** Splits the score of a word by the fields of the listing that contain it. */
const toTerm = (term: string, added: number, text: string): Explanation['terms'][number] => {
  const fields = fromText(text)
  const inField = (name: (typeof ownFields)[number]) =>
    toAmounts({ name: [], about: [], schema: [], examples: [], learned: [], [name]: fields[name] }).get(term) ?? 0
  const all = toAmounts(fields).get(term) ?? 1
  const share = (name: (typeof ownFields)[number]) => (added * inField(name)) / all
  return { term, name: share('name'), about: share('about'), schema: share('schema'), examples: share('examples') }
}

/**
 * Explains the scores of some listings. Learned terms are reported only as a sum, because they come from other users' requests.
 * @param taught places of listings whose own score and learned score are averaged
 * @param texts the fields of the listings by place
 */
const explain = (parts: Part[], taught: ReadonlySet<number>, texts: Map<number, string>): Map<number, Explanation> => {
  const sums = new Map<number, Sums>([...texts.keys()].map(place => [place, { words: new Map(), ngrams: 0, learned: 0 }]))
  for (const { kind, term, visit } of parts)
    visit((place, part) => {
      const at = sums.get(place)
      if (!at) return
      const added = taught.has(place) ? part * exampleShare : part
      if (kind === 'word') at.words.set(term, (at.words.get(term) ?? 0) + added)
      else if (kind === 'gram') at.ngrams += added
      else at.learned += added
    })
  return new Map(
    [...sums].map(([place, { words, ngrams, learned }]) => [
      place,
      { terms: [...words].map(([term, added]) => toTerm(term, added, texts.get(place) ?? '')), ngrams, learned },
    ]),
  )
}

/**
 * Keeps the position in the log of index changes up to which the index in this directory is current. It is deleted with the
 * directory, so that a new index is filled from the store.
 */
const openMarks = async (dir: string) => {
  const file = join(dir, 'mark')
  const text = await readFile(file, 'utf8').catch(() => '')
  let mark = /^\d+$/.test(text) ? Number(text) : undefined
  return {
    read: async () => mark,
    write: async (next: number) => {
      if (next === mark) return
      await writeFile(`${file}.new`, String(next))
      await rename(`${file}.new`, file)
      mark = next
    },
  }
}

/** Minimum number of listings that are requested by embedding. With fewer, their median similarity would mean little. */
const minNear = 120

const read = z.object({ key: z.string(), fields: z.string() })

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
