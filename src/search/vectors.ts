import type { Connection, Table } from '@lancedb/lancedb'
import { z } from 'zod'
import { sha256 } from '../domain/json.ts'
import type { Embeddings } from '../ports.ts'
import type { Row } from './row.ts'

const prefix = 'vectors-'
/** Listings that are embedded in one request. A failed request is repeated for these only. */
const batchRows = 256
/** Delay before a failed request to the embedding provider is repeated. */
const retryMs = 5_000

const known = z.object({ key: z.string(), textHash: z.string() })
const wanted = z.object({ key: z.string(), text: z.string() })
type Wanted = z.infer<typeof wanted>
const near = z.object({ key: z.string(), _distance: z.number() })
/** `similarity` is the cosine similarity of two embeddings; 1 means the same direction. */
export type Near = { key: string; similarity: number }

const textHashOf = ({ text }: Wanted) => sha256(text)

/** Opens the vector table of a model, and drops those of other models: their vectors are not comparable. */
const openTable = async (connection: Connection, name: string): Promise<Table | undefined> => {
  const names = await connection.tableNames()
  for (const other of names) if (other.startsWith(prefix) && other !== name) await connection.dropTable(other)
  return names.includes(name) ? connection.openTable(name) : undefined
}

/** Listings whose present text has no vector of this model. */
const findMissing = async (listings: Table, vectors: Table | undefined): Promise<Wanted[]> => {
  const rows = vectors ? known.array().parse(await vectors.query().select(['key', 'textHash']).toArray()) : []
  const hashes = new Map(rows.map(it => [it.key, it.textHash]))
  const all = wanted.array().parse(await listings.query().select(['key', 'text']).toArray())
  return all.filter(it => hashes.get(it.key) !== textHashOf(it))
}

type Stored = { key: string; textHash: string; vector: number[] }

/** Stores the vectors of one model. The table is created with the first vectors, because their size defines its schema. */
const createStorage = async (connection: Connection, name: string) => {
  let table = await openTable(connection, name)

  /** Whether a vector has the size of the table's vectors. A provider may change the size of a model's vectors. */
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

type Work = { listings: Table; embeddings: Embeddings; storage: Awaited<ReturnType<typeof createStorage>> }

/** Embeds new and changed listings in the background. A failed request is repeated later. */
const startEmbedding = async ({ listings, embeddings, storage }: Work) => {
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
    // A listing that changed meanwhile is embedded again.
    for (const it of batch) if (waiting.get(it.key) === it) waiting.delete(it.key)
  }
  /** Resolves with false when the provider or the disk failed. */
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
      // Listings may have been added after the last check.
      else if (waiting.size > 0) start()
    })
  }
  start()

  return {
    add(rows: Row[]) {
      for (const { key, text } of rows) waiting.set(key, { key, text })
      start()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await working
    },
  }
}

type Place = { connection: Connection; listings: Table; embeddings: Embeddings }

/**
 * Keeps an embedding for each listing, in a table beside the listings. Embeddings are computed in the background: until then a
 * listing is found by its words only. Vectors of removed listings may remain, so callers must check that a listing still
 * exists.
 */
export const openVectors = async ({ connection, listings, embeddings }: Place) => {
  const storage = await createStorage(connection, `${prefix}${sha256(embeddings.id).slice(0, 16)}`)
  const embedding = await startEmbedding({ listings, embeddings, storage })

  return {
    add: embedding.add,
    /** The listings with the nearest embeddings, nearest first. Empty when the provider fails or times out. */
    async nearest(text: string, limit: number): Promise<Near[]> {
      if (!storage.table()) return []
      try {
        return await storage.nearest(await embeddings.embed(text), limit)
      } catch {
        return []
      }
    },
    async close() {
      await embedding.close()
      storage.table()?.close()
    },
  }
}
