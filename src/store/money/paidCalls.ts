import { z } from 'zod'
import { hourMs } from '../../domain/durations.ts'
import { address, hex } from '../../domain/hex.ts'
import { amount, maybe } from '../../ports/rows/columns.ts'
import type { PaidCallTables } from '../../ports.ts'
import { callText, toCallText } from '../effects/intentRows.ts'
import type { Scope } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'

const shape = {
  id: z.string(),
  chainId: z.number(),
  payer: address,
  asset: address,
  nonce: hex,
  amount,
  payTo: address,
  requestHash: z.string(),
  jobId: z.string(),
  runId: z.string(),
  validUntil: z.number(),
  sender: address,
  settlement: callText,
  createdAt: z.number(),
}
const calls = rowOf(shape)
const followed = rowOf({
  ...shape,
  settling: maybe(z.enum(['waiting', 'sent', 'confirmed', 'reverted'])),
  hash: maybe(hex),
})
const amounts = rowOf({ amount })
const count = z.coerce.number()

const following = `select ${calls.columns
  .split(', ')
  .map(it => `p.${it}`)
  .join(', ')}, i.state as settling, i.hash from paid_call p left join intent i on i.key = 'x402:' || p.id`

/**
 * Maximum time in ms between the end of an authorization and the end of its call, because the settlement may wait for the
 * chain.
 */
const settledWithinMs = hourMs
const isOpen = `p.valid_until > {NOW} - ${settledWithinMs} and j.state not in ('settled', 'refunded', 'cancelled')`

/** Calls paid by x402. */
export const paidCallTable = ({ read, write }: Scope): PaidCallTables => ({
  addPaidCall: ({ settlement, ...call }) =>
    write(async ({ sql }) => {
      const values = { ...call, settlement: toCallText(settlement) }
      const [insert, params] = insertion('paid_call', values, ['createdAt'])
      const claim = `${insert} on conflict (chain_id, asset, payer, nonce) do nothing returning ${calls.columns}`
      return calls.one(await sql(claim, params))
    }),

  paidCall: async id => followed.one(await read(`${following} where p.id = $1`, [id])),

  paidCallOfJob: async jobId => followed.one(await read(`${following} where p.job_id = $1`, [jobId])),

  paidCallOfNonce: async ({ chainId, asset, payer, nonce }) => {
    const ofNonce = `${following} where p.chain_id = $1 and p.asset = $2 and p.payer = $3 and p.nonce = $4`
    return followed.one(await read(ofNonce, [chainId, asset, payer, nonce]))
  },

  lockPaidCalls: (payer, chainId) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`paid-calls:${payer}`])
      const ofPayer = `select p.amount from paid_call p join job j on j.id = p.job_id
        where p.payer = $1 and p.chain_id = $2 and ${isOpen}`
      const open = amounts.all(await sql(ofPayer, [payer, chainId]))
      const [row] = await sql(`select count(*) as total from paid_call p join job j on j.id = p.job_id where ${isOpen}`)
      return { ofPayer: open.length, amount: open.reduce((sum, it) => sum + it.amount, 0n), ofAll: count.parse(row?.total) }
    }),
})
