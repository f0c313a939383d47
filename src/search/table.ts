import './nativeLog.ts'
import { mkdir, rm } from 'node:fs/promises'
import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb'
import type { Row } from './row.ts'

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
