import { mkdir, rm } from 'node:fs/promises'
import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb'
import { sha256 } from '../domain/json.ts'
import { type Listing, toSearchText } from '../domain/offerings/offering.ts'
import type { Indexed } from '../ports.ts'
import { toFields, toText } from './lexicon.ts'

/**
 * One offering in the index. `fields` is searched, and `text` is sent to the embedding provider. `key` and `agentKey` are
 * hashes. Only they appear in filter conditions, so that text of strangers is never part of a condition.
 */
export type Row = {
  key: string
  agentKey: string
  agentId: string
  offeringId: string
  chain: number
  price: number
  version: number
  fields: string
  text: string
}

export const toAgentKey = (agentId: string): string => sha256(agentId)
export const toKey = ({ agentId, id }: Pick<Listing, 'agentId' | 'id'>): string => sha256(JSON.stringify([agentId, id]))

/** Characters of a listing that are embedded. Providers truncate long texts, and the first words describe the offering. */
const textChars = 2_000

/** Identifies the content of a row, so that an unchanged row is not written again. */
export const digestOf = (row: Row): string => sha256(JSON.stringify(row)).slice(0, digestChars)
const digestChars = 32

export const toRow = (listing: Indexed): Row => {
  const fields = toFields(listing, listing.learned)
  return {
    key: toKey(listing),
    agentKey: toAgentKey(listing.agentId),
    agentId: listing.agentId,
    offeringId: listing.id,
    chain: listing.chainId,
    // Only for filtering. The exact price is read from the store before a proposal.
    price: Number(listing.price),
    version: listing.version,
    fields: toText(fields),
    text: toSearchText(listing).slice(0, textChars),
  }
}

// The native library reads this variable once, when it is loaded, and would print warnings beside our log. Import this module
// first.
process.env.LANCEDB_LOG ??= 'error'

/** The table name contains the version of the row format. A table of another version counts as missing. */
const tableName = 'offerings-6'

// The defaults of LanceDB are 6 GB and 1 GB.
const indexCacheBytes = 128n << 20n
const metadataCacheBytes = 32n << 20n

// LanceDB infers the column types from this row, which is then deleted.
const seed: Row = {
  key: '',
  agentKey: '',
  agentId: '',
  offeringId: '',
  chain: 0,
  price: 0.5,
  version: 0,
  fields: '',
  text: '',
}

type Opened = { table: Table; connection: Connection; close(): void }

const closing = (connection: Connection, table: Table): Opened => ({
  table,
  connection,
  close() {
    table.close()
    connection.close()
  },
})

const connectTo = async (dir: string) => {
  // Fails at once if `dir` is a file. LanceDB would search it for seconds.
  await mkdir(dir, { recursive: true })
  return connect(dir, {}, new Session(indexCacheBytes, metadataCacheBytes))
}

const createTable = async (dir: string): Promise<Opened> => {
  const connection = await connectTo(dir)
  const table = await connection.createTable(tableName, [seed])
  await table.delete("key = ''")
  await table.createIndex('key', { config: Index.btree() })
  return closing(connection, table)
}

// LanceDB does not sync its files, so they may be damaged after a power loss. Reading a whole column detects that at startup.
const openTable = async (dir: string): Promise<Opened> => {
  const connection = await connectTo(dir)
  const table = await connection.openTable(tableName)
  await table.query().select(['key']).toArrow()
  return closing(connection, table)
}

/**
 * Opens the index in a directory. A missing, damaged or older index is replaced by an empty one, to be refilled from the store.
 */
export const openOrCreate = async (dir: string): Promise<Opened> => {
  try {
    return await openTable(dir)
  } catch {
    await rm(dir, { recursive: true, force: true })
    return createTable(dir)
  }
}
