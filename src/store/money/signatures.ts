import { z } from 'zod'
import { dayMs } from '../../domain/durations.ts'
import { type Address, address } from '../../domain/hex.ts'
import { amount, hexBytes, jsonText, maybe } from '../../ports/rows/columns.ts'
import type { NewSignature, SignatureRow } from '../../ports.ts'
import type { Sql } from '../engine/db.ts'
import { insertion, matching, rowOf, toBytes } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

// Addresses and digests are stored as bytes, in half of their space as text.
const addressBytes = hexBytes.pipe(address)

const signatures = rowOf({
  seq: z.number(),
  at: z.number(),
  wallet: addressBytes,
  role: z.enum(['user', 'agent', 'evaluator', 'treasury', 'deployer']),
  chainId: z.number(),
  kind: z.enum(['transaction', 'typed-data', 'text']),
  contract: maybe(addressBytes),
  selector: z.string(),
  amount,
  runId: maybe(z.string()),
  termsDigest: maybe(z.string()),
  digest: hexBytes,
})

const decision = jsonText(z.looseObject({ kind: z.string(), decision: z.string().optional(), digest: z.string().optional() }))
const inputs = rowOf({ input: decision })

/** The record of all signatures. It is append-only. */
export const signatureTable = tableGroup(({ read, run, write }) => ({
  recordSignature: async (it, maxPerDay) => {
    const { reference } = it
    const insert = insertion('signature', toRow(it), ['at'])
    if (!reference || maxPerDay === undefined) {
      await run(...insert)
      return true
    }
    return write(async ({ sql, later }) => {
      // Locks the wallet, so that two hires cannot both pass the limit with the same earlier sum.
      const locked = sql('select address from wallet where address = $1 {LOCK}', [it.wallet])
      const [spent] = await Promise.all([spentOf(sql, { ...it, exceptRun: reference.runId }), locked])
      if (spent + reference.amount > maxPerDay) return false
      later(...insert)
      return true
    })
  },

  signatures: async ({ limit, wallet, ...filter }) => {
    const { where, params } = matching({ ...filter, wallet: wallet && toBytes(wallet) })
    const rows = await read(
      `select ${signatures.columns} from signature ${where} order by seq desc limit $${params.length + 1}`,
      [...params, limit],
    )
    return signatures.all(rows).map(toSignature)
  },

  spentToday: of => spentOf(read, of),

  consents: async runId => {
    const said = inputs.all(await read('select input from run_input where run_id = $1', [runId]))
    return said.flatMap(({ input }) => (input.kind === 'decision' && input.decision === 'yes' ? (input.digest ?? []) : []))
  },
}))

type Spender = { wallet: Address; chainId: number; exceptRun: string }

/** A hire is signed several times (approval, hire, replacements), so each run counts once, with its largest amount. */
const spentOf = async (sql: Sql, { wallet, chainId, exceptRun }: Spender): Promise<bigint> => {
  const rows = await sql(
    `select run_id, amount from signature where wallet = $1 and chain_id = $2 and run_id is not null and run_id <> $3
     and at > {NOW} - $4`,
    [toBytes(wallet), chainId, exceptRun, dayMs],
  )
  const byRun = new Map<string, bigint>()
  for (const row of rows) {
    const run = String(row.run_id)
    const signed = BigInt(String(row.amount))
    if (signed > (byRun.get(run) ?? -1n)) byRun.set(run, signed)
  }
  return [...byRun.values()].reduce((sum, it) => sum + it, 0n)
}

const toRow = ({ reference, amount: moved, ...it }: NewSignature) => ({
  ...it,
  wallet: toBytes(it.wallet),
  contract: it.contract && toBytes(it.contract),
  digest: toBytes(it.digest),
  // The authorized amount, not the native coin sent with the call.
  amount: (reference?.amount ?? moved).toString(),
  runId: reference?.runId,
  termsDigest: reference?.digest,
})

const toSignature = ({ runId, termsDigest, ...it }: ReturnType<typeof signatures.all>[number]): SignatureRow => ({
  ...it,
  reference: runId === undefined ? undefined : { runId, digest: termsDigest ?? '', amount: it.amount },
})
