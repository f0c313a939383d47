import './quiet.ts'
import { mkdir, rm } from 'node:fs/promises'
import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb'
import type { Row } from './row.ts'

/** A name for the shape of the rows: a new shape takes a new name, and the old folder counts as damaged. */
const tableName = 'offerings-4'

// The library's own defaults are 6 GB and 1 GB.
const indexCacheBytes = 128n << 20n
const metadataCacheBytes = 32n << 20n

// Column types are read off a row; it is removed at once.
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

export type Opened = { table: Table; connection: Connection; close(): void }

const closing = (connection: Connection, table: Table): Opened => ({
  table,
  connection,
  close() {
    table.close()
    connection.close()
  },
})

const connectTo = async (dir: string) => {
  // A file in its place is an error here and now, not one the library looks into for seconds.
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

// Nothing here is synced to the disk, so a folder may be torn after a power loss: reading a whole column finds it before a
// user does.
const openTable = async (dir: string): Promise<Opened> => {
  const connection = await connectTo(dir)
  const table = await connection.openTable(tableName)
  await table.query().select(['key']).toArrow()
  return closing(connection, table)
}

/** Opens the index in a folder. A missing, damaged or older one starts empty: the rows can be made again from the store. */
export const openOrCreate = async (dir: string): Promise<Opened> => {
  try {
    return await openTable(dir)
  } catch {
    await rm(dir, { recursive: true, force: true })
    return createTable(dir)
  }
}
