import { z } from 'zod'
import { dayMs } from '../../domain/durations.ts'
import { type Address, address } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import { type Spending, spentBesides } from '../../domain/money/spending.ts'
import { amount, hexBytes, jsonText, maybe } from '../../ports/rows/columns.ts'
import type { NewSignature, SignatureRow, SigningReference } from '../../ports.ts'
import type { Row, Sql, Tx } from '../engine/db.ts'
import { hasRow, insertion, insertionIf, matching, rowOf, toBytes } from '../engine/rows.ts'
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

const said = 'select input from run_input where run_id ='

const yesOf = (rows: Row[]): string[] =>
  inputs.all(rows).flatMap(({ input }) => (input.kind === 'decision' && input.decision === 'yes' ? (input.digest ?? []) : []))

/** The record of all signatures. It is append-only. */
export const signatureTable = tableGroup(({ read, run, write }) => ({
  recordSignature: async (it, within) => {
    const { reference } = it
    if (!reference || !within) {
      await run(...insertion('signature', toRow(it), ['at']))
      return true
    }
    const committing = { it, reference, ...within }
    const isOfIt = within.seen.wallet === it.wallet && within.seen.chainId === it.chainId
    if (!isOfIt || !fits(committing, within.seen)) return write(tx => addWithin(tx, committing))
    const { added } = await write(async tx => ({ added: addUnlessNewer(tx, committing) }))
    return (await added) || write(tx => addWithin(tx, committing))
  },

  signatures: async ({ limit, wallet, ...filter }) => {
    const { where, params } = matching({ ...filter, wallet: wallet && toBytes(wallet) })
    const rows = await read(
      `select ${signatures.columns} from signature ${where} order by seq desc limit $${params.length + 1}`,
      [...params, limit],
    )
    return signatures.all(rows).map(toSignature)
  },

  spending: of => spendingOf(read, of),

  consents: async runId => yesOf(await read(`${said} $1`, [runId])),
  consentsOfJob: async jobId => yesOf(await read(`${said} (select run_id from job where id = $1)`, [jobId])),
}))

type Spender = { wallet: Address; chainId: number }
type Committing = { it: NewSignature; reference: SigningReference; maxPerDay: Atomic; seen: Spending }

const fits = ({ reference: { runId, amount }, maxPerDay }: Committing, spending: Spending) =>
  spentBesides(spending, runId) + amount <= maxPerDay

/** Locks the wallet, so that two hires cannot both pass the limit with the same earlier sum. */
const lock = 'select address from wallet where address = $1 {LOCK}'

const addWithin = async ({ sql, later }: Tx, committing: Committing): Promise<boolean> => {
  const { it } = committing
  later(lock, [it.wallet])
  if (!fits(committing, await spendingOf(sql, it))) return false
  later(...insertion('signature', toRow(it), ['at']))
  return true
}

const ofSpender = 'wallet = $1 and chain_id = $2 and run_id is not null'

/**
 * Adds a signature that fits what was read, without a wait for the lock: signatures of a wallet are numbered under it. False when
 * another run was signed since the reading.
 */
const addUnlessNewer = ({ sql, later }: Tx, { it, reference, seen }: Committing): Promise<boolean> => {
  later(lock, [it.wallet])
  const isNewest = (at: number) =>
    `where not exists (select 1 from signature where wallet = $${at} and chain_id = $${at + 1} and seq > $${at + 2}
      and run_id is not null and run_id <> $${at + 3} and at > {NOW} - ${dayMs})`
  const [text, params] = insertionIf('signature', toRow(it), { condition: isNewest, stamps: ['at'] })
  const added = hasRow(sql(`${text} returning seq`, [...params, toBytes(it.wallet), it.chainId, seen.seq, reference.runId]))
  // A transaction that fails reports it, and then nobody asks here.
  added.catch(() => undefined)
  return added
}

/** A hire is signed several times (approval, hire, replacements), so each run counts once, with its largest amount. */
const spendingOf = async (sql: Sql, { wallet, chainId }: Spender): Promise<Spending> => {
  const rows = await sql(`select seq, run_id, amount from signature where ${ofSpender} and at > {NOW} - $3`, [
    ...[toBytes(wallet), chainId, dayMs],
  ])
  const runs = new Map<string, Atomic>()
  for (const row of rows) {
    const run = String(row.run_id)
    const signed = BigInt(String(row.amount))
    if (signed > (runs.get(run) ?? -1n)) runs.set(run, signed)
  }
  return { wallet, chainId, runs, seq: rows.reduce((newest, it) => Math.max(newest, Number(it.seq)), 0) }
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
