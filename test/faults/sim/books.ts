import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { simulatedChainId } from './chain/places.ts'

export type BookRow = Record<string, SQLOutputValue>

/**
 * The database as the checks read it: synchronously, without the ports, only committed rows, only runs and jobs of the served
 * chain.
 */
export type Books = {
  all(sql: string, ...params: (string | number)[]): BookRow[]
  /** Increases with every write. */
  version(): number
  close(): void
}

export const openBooks = (file: string, chainId: number = simulatedChainId): Books => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  for (const table of ['run', 'job'])
    db.exec(`create temp view ${table} as select * from main.${table} where chain_id = ${chainId}`)
  const prepared = new Map<string, StatementSync>()
  const all = (sql: string, ...params: (string | number)[]) => {
    const statement = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, statement)
    return statement.all(...params)
  }
  return { all, version: () => Number(all('pragma data_version')[0]?.data_version), close: () => db.close() }
}

export const textOf = (value: SQLOutputValue | undefined): string => (value === null || value === undefined ? '' : String(value))
