import { DatabaseSync } from 'node:sqlite'
import { decodeFunctionData, parseTransaction } from 'viem'
import { z } from 'zod'
import { jobEscrowAbi } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { createSealer } from '../../src/chain/signing/secrets.ts'
import { type Hex, hex } from '../../src/domain/hex.ts'
import { unpack } from '../../src/store/engine/packed.ts'

/** One column value of one row. */
export type Row = { table: string; column: string; value: Buffer }

const named = z.object({ name: z.string() })
const reading = <T>(file: string, read: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

/** All column values of all tables. */
export const rowsOf = (file: string): Row[] =>
  reading(file, db =>
    db
      .prepare(`select name from sqlite_schema where type = 'table'`)
      .all()
      .map(it => named.parse(it).name)
      .flatMap(table =>
        db
          .prepare(`select * from "${table}"`)
          .all()
          .flatMap(row =>
            Object.entries(row).map(([column, value]) => ({ table, column, value: toBytes(`${table}.${column}`, value) })),
          ),
      ),
  )

const packed = new Set(['intent.call', 'chain_transaction.raw', 'run_step.body', 'run.events'])
const toBytes = (column: string, value: unknown) =>
  Buffer.from(value instanceof Uint8Array ? (packed.has(column) ? unpack(value) : value) : String(value))

const wallet = z.object({ address: z.string(), sealed_key: z.string() })

/** The custodial private keys, decrypted like in the service. */
export const custodialKeys = (file: string, masterKey: string): string[] => {
  const sealer = createSealer(Buffer.from(masterKey, 'hex'))
  return reading(file, db => db.prepare('select address, sealed_key from wallet').all()).map(row => {
    const { address, sealed_key } = wallet.parse(row)
    return sealer.open(sealed_key, address)
  })
}

/** Both halves (r and s) of the signature of each transaction and of each authorization in its call data. */
export const signaturesOf = (rows: Row[]): Record<string, string> => {
  const raws = rows.filter(it => it.table === 'chain_transaction' && it.column === 'raw').map(it => hex.parse(`${it.value}`))
  const halves = raws.flatMap((raw, at) => {
    const { r, s, data } = parseTransaction(raw)
    const of = { [`transaction ${at}`]: { r, s }, [`authorization ${at}`]: data && authorizationOf(data) }
    return Object.entries(of).flatMap(([name, it]) => (it ? [[`${name} r`, it.r] as const, [`${name} s`, it.s] as const] : []))
  })
  return Object.fromEntries(halves.flatMap(([name, half]) => (half ? [[name, half] as const] : [])))
}

const authorizationOf = (data: Hex): { r: string; s: string } | undefined => {
  const call = decodedOf(data)
  return call?.functionName === 'createAndFundWithAuthorization' ? { r: call.args[3], s: call.args[4] } : undefined
}

const decodedOf = (data: Hex) => {
  try {
    return decodeFunctionData({ abi: jobEscrowAbi, data })
  } catch {
    return undefined // a call to another contract
  }
}
