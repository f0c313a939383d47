import type { Db } from '../engine/db.ts'

/** Columns that hold sealed texts, and the column whose value each text is bound to. */
const places = [
  { table: 'wallet', key: 'address', column: 'sealed_key', purpose: 'address' },
  { table: 'secret', key: 'name', column: 'sealed', purpose: 'name' },
  { table: 'token_key', key: 'number', column: 'sealed', purpose: `'token-key:' || number` },
  { table: 'file', key: 'id', column: 'sealed', purpose: 'id' },
  { table: 'file_part', key: 'id', column: 'sealed', purpose: 'id' },
]

/** Any sealed text of the database; undefined where there is none yet. */
export const anySealed = async (db: Pick<Db, 'sql'>): Promise<string | undefined> => {
  for (const { table, column } of places) {
    const [row] = await db.sql(`select ${column} as sealed from ${table} where ${column} like 'v1.%' limit 1`)
    if (row) return String(row.sealed)
  }
  return undefined
}

/**
 * Encrypts every sealed text again, all in one transaction. References to KMS keys are not sealed and stay unchanged.
 * @returns the number of sealed texts
 */
export const resealAll = (db: Db, reseal: (sealed: string, purpose: string) => string): Promise<number> =>
  db.tx(async sql => {
    let count = 0
    for (const { table, key, column, purpose } of places) {
      const rows = await sql(
        `select ${key} as at, ${purpose} as purpose, ${column} as sealed from ${table} where ${column} like 'v1.%'`,
      )
      for (const { at, purpose: bound, sealed } of rows)
        await sql(`update ${table} set ${column} = $2 where ${key} = $1`, [
          table === 'token_key' ? Number(at) : String(at),
          reseal(String(sealed), String(bound)),
        ])
      count += rows.length
    }
    return count
  })
