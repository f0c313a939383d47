import type { Table } from '@lancedb/lancedb'
import { z } from 'zod'
import type { Found, Indexed, Search } from '../ports.ts'
import { createLexicon, type Lexicon, type Placed, type Removal } from './lexicon.ts'
import { order, toFound } from './order.ts'
import { toParts } from './request.ts'
import { digestOf, type Row, toKey, toRow } from './row.ts'

/** The index is rebuilt when this share of its places is empty, because counts of removed listings distort term frequencies. */
const emptyShare = 0.2
/** The minimum of empty places before a rebuild. A small market would otherwise rebuild after every few changes. */
const minEmpty = 1_000

const stored = z.object({
  key: z.string(),
  agentKey: z.string(),
  agentId: z.string(),
  offeringId: z.string(),
  chain: z.number(),
  price: z.number(),
  version: z.number(),
  fields: z.string(),
})
const columns = Object.keys(stored.shape)

export type Change = { rows: Map<string, Row> } | Removal

const apply = (lexicon: Lexicon, change: Change) => {
  if (!('rows' in change)) lexicon.remove(change)
  else for (const row of change.rows.values()) lexicon.put({ ...toPlaced(row), digest: digestOf(row) })
}

/** The part of a change that an index does not contain yet; undefined when it contains all of it. */
const missingIn = (lexicon: Lexicon, change: Change): Change | undefined => {
  const find = (key: string) => lexicon.at(lexicon.placeOf(key) ?? -1)
  if ('rows' in change) {
    const rows = [...change.rows].filter(([key, row]) => find(key)?.digest !== digestOf(row))
    return rows.length > 0 ? { rows: new Map(rows) } : undefined
  }
  if ('gone' in change) {
    const gone = change.gone.filter(find)
    return gone.length > 0 ? { gone } : undefined
  }
  const kept = new Set(change.except)
  return lexicon.keysOf(change.agentKey).every(it => kept.has(it)) ? undefined : change
}
const toPlaced = (row: z.infer<typeof stored>): Placed & Pick<Row, 'fields'> => {
  const { key, agentKey, agentId, offeringId, chain, price, version, fields } = row
  return { key, agentKey, agentId, offeringId, chain, price, version, fields }
}

const read = async (table: Table): Promise<Lexicon> => {
  const lexicon = createLexicon()
  for await (const batch of table.query().select(columns)) for (const row of batch) lexicon.put(stored.parse(row?.toJSON()))
  return lexicon
}

/** Keeps the in-memory index of a table: reads the table once and then applies each write. */
export const openMirror = async (table: Table) => {
  let lexicon = await read(table)
  let reading: Promise<void> | undefined
  let meanwhile: Change[] = []

  const readAnew = async () => {
    meanwhile = []
    const next = await read(table)
    for (const change of meanwhile) apply(next, change)
    lexicon = next
  }
  return {
    current: () => lexicon,
    /** The part of a change that the table does not contain yet; undefined when it contains all of it. */
    missing: (change: Change) => missingIn(lexicon, change),
    /** Applies a change that the table already contains. A rebuild that follows runs in the background. */
    add(change: Change) {
      apply(lexicon, change)
      if (reading) meanwhile.push(change)
      const isStale = lexicon.empty() > Math.max(minEmpty, emptyShare * lexicon.size())
      // If the rebuild fails, the present index stays in use.
      if (isStale)
        reading ??= readAnew()
          .catch(() => undefined)
          .finally(() => {
            reading = undefined
          })
    },
    async close() {
      await reading
    },
  }
}

/** An index in memory that matches words as that of offerings does. Nothing of it is stored. */
export const createMemorySearch = () => {
  const lexicon = createLexicon()
  return {
    put: (listing: Indexed): void => lexicon.put(toRow(listing)),
    remove: (listing: Pick<Indexed, 'agentId' | 'id'>): void => lexicon.remove({ gone: [toKey(listing)] }),
    search(query: Parameters<Search['search']>[0]): Found[] {
      const asked = { query, lexicon, parts: toParts(query.text, lexicon), near: [] }
      return toFound(asked, order(asked))
    },
  }
}
export type MemorySearch = ReturnType<typeof createMemorySearch>
