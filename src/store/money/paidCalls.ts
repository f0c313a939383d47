import { z } from 'zod'
import { dayMs, hourMs, minuteMs } from '../../domain/durations.ts'
import { address, hex } from '../../domain/hex.ts'
import { amount, maybe } from '../../ports/rows/columns.ts'
import type { PaidCallTables, ReadCallPage } from '../../ports.ts'
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
const settlement = { settling: maybe(z.enum(['waiting', 'sent', 'confirmed', 'reverted'])), hash: maybe(hex) }
const followed = rowOf({ ...shape, ...settlement })
const paged = rowOf({ ...shape, ...settlement, seq: z.number() })
const amounts = rowOf({ amount })
const count = z.coerce.number()

const transfer = `(select t.tx_hash from posting t where t.job_id = p.job_id and t.key like 'x402:%:payout%'
  and t.key not like '%:reversed' and not exists (select 1 from posting r where r.key = t.key || ':reversed'))`
const columns = calls.columns
  .split(', ')
  .map(it => `p.${it}`)
  .join(', ')
const following = `select ${columns}, i.state as settling, ${transfer} as hash from paid_call p left join intent i on i.key = 'x402:' || p.id`

const ended = `select p.seq, ${columns}, i.state as settling, ${transfer} as hash from paid_call p
  join intent i on i.key = 'x402:' || p.id join job j on j.id = p.job_id where p.chain_id = $1 and p.seq > $2`
const unpaid = `j.state = 'refunded' and p.valid_until > {NOW} - ${10 * minuteMs} and p.created_at > {NOW} - ${dayMs}`

/**
 * Maximum time in ms between the end of an authorization and the end of its call, because the settlement may wait for the
 * chain.
 */
const settledWithinMs = hourMs
const isOpen = `p.valid_until > {NOW} - ${settledWithinMs} and j.state not in ('settled', 'refunded', 'cancelled')`

/** Calls paid by x402. */
export const paidCallTable = ({ read, aside, write }: Scope): PaidCallTables => ({
  decidedCalls: pagesOf({ read, aside }, `j.state in ('settled', 'refunded')`),
  unpaidCalls: pagesOf({ read, aside }, unpaid),

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

const pagesOf =
  ({ read, aside }: Pick<Scope, 'read' | 'aside'>, condition: string): ReadCallPage =>
  async (chainId, { afterSeq, limit }) => {
    const page = [chainId, afterSeq, aside.limit('paid_call', limit)]
    return aside.sound('paid_call', paged, await read(`${ended} and ${condition} order by p.seq limit $3`, page))
  }
