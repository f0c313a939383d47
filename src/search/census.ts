import type { Table } from '@lancedb/lancedb'
import { z } from 'zod'
import { fromText } from './fields.ts'
import type { Row } from './row.ts'
import { createStatistics, type Statistics } from './statistics.ts'

/** Old versions of changed rows are counted until the next census; how often a word stands somewhere needs no more precision. */
const shareBeforeCensus = 0.2

const counted = z.object({ fields: z.string() })

const takeCensus = async (table: Table): Promise<Statistics> => {
  const statistics = createStatistics()
  for await (const batch of table.query().select(['fields'])) {
    for (const row of batch) statistics.add(fromText(counted.parse({ fields: row?.fields }).fields))
  }
  return statistics
}

/** The statistics of a table, kept up with what is written to it. */
export const openCensus = async (table: Table) => {
  let statistics = await takeCensus(table)
  let since = 0
  let taking: Promise<void> | undefined

  const take = async () => {
    const rows = await table.countRows()
    // While an index is filled every row is a new one, and nothing was counted twice.
    if (statistics.size() > rows * (1 + shareBeforeCensus)) statistics = await takeCensus(table)
    since = 0
    taking = undefined
  }
  return {
    current: () => statistics,
    /** Counts new rows at once; nobody waits for the next census. */
    add(rows: Row[]) {
      since += rows.length
      for (const { fields } of rows) statistics.add(fromText(fields))
      // A census that fails leaves the one that stands.
      if (since > shareBeforeCensus * statistics.size()) taking ??= take().catch(() => undefined)
    },
    async close() {
      await taking
    },
  }
}
