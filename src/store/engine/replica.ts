import pg from 'pg'
import type { Sql } from './db.ts'

/** How long lists are read from the primary after the replica failed, in ms. */
const restMs = 10_000

type Options = { primary: Sql; replica: Sql }

/**
 * Reads lists from a replica, which may lag behind, and from the primary while the replica does not answer. A statement that the
 * replica cancels, because rows that it reads are replayed, runs on the primary as well.
 */
export const readLists = ({ primary, replica }: Options): Sql => {
  let restsUntil = 0
  return async (text, params) => {
    if (performance.now() < restsUntil) return primary(text, params)
    try {
      return await replica(text, params)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) restsUntil = performance.now() + restMs
      return primary(text, params)
    }
  }
}
