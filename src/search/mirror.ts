import type { Table } from '@lancedb/lancedb'
import { z } from 'zod'
import { createLexicon, type Gone, type Lexicon, type Placed } from './lexicon.ts'
import type { Row } from './row.ts'

/** Counts of listings that are gone or changed make words look more frequent: with so many of them all is read anew. */
const emptyShare = 0.2
/** In a small market reading anew after every few changes would gain nothing. */
const leastEmpty = 1_000

const stored = z.object({
  ...{ key: z.string(), agentKey: z.string(), agentId: z.string(), offeringId: z.string() },
  ...{ chain: z.number(), price: z.number(), version: z.number(), fields: z.string() },
})
const columns = Object.keys(stored.shape)

export type Change = { rows: Map<string, Row> } | Gone

const apply = (lexicon: Lexicon, change: Change) => {
  if (!('rows' in change)) lexicon.remove(change)
  else for (const row of change.rows.values()) lexicon.put(toPlaced(row))
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

/** The lexicon of a table: read when it is opened, and kept up with what is written to it. */
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
    /** Takes over a change that the table has; nobody waits for the reading that may follow. */
    add(change: Change) {
      apply(lexicon, change)
      if (reading) meanwhile.push(change)
      const isStale = lexicon.empty() > Math.max(leastEmpty, emptyShare * lexicon.size())
      // A reading that fails leaves the lexicon that stands.
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
