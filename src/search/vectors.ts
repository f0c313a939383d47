import type { Connection, Table } from '@lancedb/lancedb'
import { z } from 'zod'
import { sha256 } from '../domain/json.ts'
import type { Embeddings } from '../ports.ts'
import type { Row } from './row.ts'

const prefix = 'vectors-'
/** Listings that are embedded together; a failure costs no more than these again. */
const batchRows = 256
/** A provider that failed is asked again after so long. */
const retryMs = 5_000

const known = z.object({ key: z.string(), textHash: z.string() })
const wanted = z.object({ key: z.string(), text: z.string() })
type Wanted = z.infer<typeof wanted>
const near = z.object({ key: z.string(), _distance: z.number() })
/** `similarity`: the cosine of the angle between two meanings, 1 for the same. */
export type Near = { key: string; similarity: number }

const textHashOf = ({ text }: Wanted) => sha256(text)

/** The table of one model; those of others are dropped, as nothing can be compared with them. */
const openTable = async (connection: Connection, name: string): Promise<Table | undefined> => {
  const names = await connection.tableNames()
  for (const other of names) if (other.startsWith(prefix) && other !== name) await connection.dropTable(other)
  return names.includes(name) ? connection.openTable(name) : undefined
}

/** Listings whose text has no vector of this model yet. */
const findMissing = async (listings: Table, vectors: Table | undefined): Promise<Wanted[]> => {
  const rows = vectors ? known.array().parse(await vectors.query().select(['key', 'textHash']).toArray()) : []
  const hashes = new Map(rows.map(it => [it.key, it.textHash]))
  const all = wanted.array().parse(await listings.query().select(['key', 'text']).toArray())
  return all.filter(it => hashes.get(it.key) !== textHashOf(it))
}

type Stored = { key: string; textHash: string; vector: number[] }

/** The vectors of one model in a table, which is made with the first of them. */
const createStorage = async (connection: Connection, name: string) => {
  let table = await openTable(connection, name)

  /** The same model may answer in another size than it did. */
  const fits = async (vector: number[]): Promise<boolean> => {
    const field = (await table?.schema())?.fields.find(it => it.name === 'vector')
    return field === undefined || z.looseObject({ listSize: z.number() }).parse(field.type).listSize === vector.length
  }
  return {
    fits,
    table: () => table,
    async write(rows: Stored[]) {
      if (table) await table.mergeInsert('key').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
      else table = await connection.createTable(name, rows)
    },
    async clear() {
      await connection.dropTable(name)
      table = undefined
    },
    async nearest(vector: number[], limit: number): Promise<Near[]> {
      if (!table || !(await fits(vector))) return []
      const query = table.query().nearestTo(vector).distanceType('cosine').select(['key', '_distance'])
      const found = near.array().parse(await query.limit(limit).toArray())
      return found.map(it => ({ key: it.key, similarity: 1 - it._distance }))
    },
  }
}

type Place = { connection: Connection; listings: Table; embeddings: Embeddings }

/**
 * Vectors of listings beside their rows. They follow behind: a listing is found by its words at once and by its meaning when
 * the provider has answered. Gone listings may stay here; whoever reads looks up what is left of them.
 */
export const openVectors = async ({ connection, listings, embeddings }: Place) => {
  const storage = await createStorage(connection, `${prefix}${sha256(embeddings.id).slice(0, 16)}`)
  const waiting = new Map((await findMissing(listings, storage.table())).map(it => [it.key, it]))
  let working: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const embedNext = async () => {
    const batch = [...waiting.values()].slice(0, batchRows)
    const vectors = await embeddings.embedAll(batch.map(it => it.text))
    const rows = batch.flatMap((it, at) => {
      const vector = vectors[at]
      return vector ? [{ key: it.key, textHash: textHashOf(it), vector }] : []
    })
    if (rows[0] && !(await storage.fits(rows[0].vector))) {
      await storage.clear()
      for (const it of await findMissing(listings, undefined)) waiting.set(it.key, it)
    }
    await storage.write(rows)
    // What changed meanwhile stays waiting.
    for (const it of batch) if (waiting.get(it.key) === it) waiting.delete(it.key)
  }
  /** False when the provider, or the disk, failed. */
  const work = async (): Promise<boolean> => {
    try {
      while (waiting.size > 0 && !isClosed) await embedNext()
      return true
    } catch {
      return false
    }
  }
  const start = () => {
    if (isClosed || working) return
    working = work().then(isDone => {
      working = undefined
      if (!isDone) timer = setTimeout(start, retryMs).unref()
      // What came between the last look and now.
      else if (waiting.size > 0) start()
    })
  }
  start()

  return {
    add(rows: Row[]) {
      for (const { key, text } of rows) waiting.set(key, { key, text })
      start()
    },
    /** The listings nearest in meaning, nearest first; none when the provider does not answer in time. */
    async nearest(text: string, limit: number): Promise<Near[]> {
      if (!storage.table()) return []
      try {
        return await storage.nearest(await embeddings.embed(text), limit)
      } catch {
        return []
      }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await working
      storage.table()?.close()
    },
  }
}
