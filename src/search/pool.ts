import type { Table } from '@lancedb/lancedb'
import { type Hit, hit, hitColumns } from './row.ts'
import { toSet } from './writes.ts'

/** Reads the listings that a request may be about. A condition holds numbers only; an empty one is none. */
export const createPool = (table: Table) => ({
  /** The best by the full-text index, best first. */
  async byWords(words: string[], condition: string, limit: number): Promise<Hit[]> {
    if (words.length === 0) return []
    const query = table.query().fullTextSearch(words.join(' '), { columns: ['terms'] })
    const some = query.select([...hitColumns, '_score']).limit(limit)
    return hit.array().parse(await (condition ? some.where(condition) : some).toArray())
  },

  async byKeys(keys: string[], condition: string): Promise<Hit[]> {
    if (keys.length === 0) return []
    const among = `key IN ${toSet(keys)}`
    const query = table.query().where(condition ? `${among} AND ${condition}` : among)
    return hit.array().parse(await query.select(hitColumns).toArray())
  },
})
