import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { unpack } from '../../../src/store/engine/packed.ts'
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
  showPackedEvents(db)
  const prepared = new Map<string, StatementSync>()
  const all = (sql: string, ...params: (string | number)[]) => {
    const statement = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, statement)
    return statement.all(...params)
  }
  return { all, version: () => Number(all('pragma data_version')[0]?.data_version), close: () => db.close() }
}

const eventColumns = 'run_id, seq, kind, summary, data, key, at'
const packedEvents = `select r.id, e.value->>'seq', e.value->>'kind', e.value->>'summary', e.value->'data', e.value->>'key', e.value->>'at'
  from main.run r, json_each(unpacked(r.events)) e where r.events is not null`
const addUnpacking = (db: DatabaseSync) =>
  db.function('unpacked', { deterministic: true }, value => (value instanceof Uint8Array ? unpack(value) : null))

/** Lets `run_event` contain the packed events of ended runs too. */
const showPackedEvents = (db: DatabaseSync) => {
  addUnpacking(db)
  db.exec(`create temp view run_event as select ${eventColumns} from main.run_event union all ${packedEvents}`)
}

/** Turns the packed events of ended runs into rows, which a check may change. */
export const unpackEvents = (db: DatabaseSync): void => {
  addUnpacking(db)
  db.exec(`insert into run_event (${eventColumns}) ${packedEvents}; update run set events = null`)
}

/** The sums of all ledger accounts. Tokens have 18 decimals, so their sums do not fit the integers of SQLite. */
export const sumsOf = ({ all }: Pick<Books, 'all'>): Map<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const { account, amount } of all('select account, amount from ledger_entry'))
    sums.set(textOf(account), (sums.get(textOf(account)) ?? 0n) + BigInt(textOf(amount)))
  return sums
}

/** Postings of which one asset does not add up to zero. */
export const unbalancedIn = ({ all }: Pick<Books, 'all'>): string[] => {
  const sums = new Map<string, bigint>()
  for (const { posting_key: key, account, amount } of all('select posting_key, account, amount from ledger_entry')) {
    const [asset] = /^(?:0x[0-9a-f]{40}|coin)(?=\/)/.exec(textOf(account)) ?? ['USDC']
    const of = `${key} ${asset}`
    sums.set(of, (sums.get(of) ?? 0n) + BigInt(textOf(amount)))
  }
  return [...sums].filter(([, sum]) => sum !== 0n).map(([of]) => of)
}

export const textOf = (value: SQLOutputValue | undefined): string => (value === null || value === undefined ? '' : String(value))
