import { z } from 'zod'
import { dayMs, hourMs, minuteMs } from '../../domain/durations.ts'
import type { Share } from '../../domain/x402/paidCallShares.ts'
import { amount } from '../../ports/rows/columns.ts'
import { toCallText } from '../../store/effects/intentRows.ts'
import type { Row, Scope } from '../../store/engine/db.ts'
import { insertion, rowOf } from '../../store/engine/rows.ts'
import { deferredRow, followedRow, type PaidCallTables, paidCallRow, type ReadCallPage } from './ports.ts'

const calls = rowOf(paidCallRow)
const followed = rowOf(followedRow)
const paged = rowOf({ ...followedRow, seq: z.number() })
const deferred = rowOf(deferredRow)
const amounts = rowOf({ amount })

const transfer = `(select t.tx_hash from posting t where t.job_id = p.job_id and t.key like 'x402:%:payout%'
  and t.key not like '%:reversed' and not exists (select 1 from posting r where r.key = t.key || ':reversed'))`
const columns = calls.columnsOf('p')
const following = `select ${columns}, i.state as settling, ${transfer} as hash from paid_call p left
  join intent i on i.key = 'x402:' || p.id`

const deferring = `select ${columns}, p.facilitation, i.state as settling, ${transfer} as hash from paid_call p
  left join intent i on i.key = 'x402:' || p.id where p.chain_id = $1 and p.deferred_at is not null
  order by p.deferred_at limit $2`
const defer = 'update paid_call set deferred_at = {NOW} where id = $1 and facilitation is not null returning id'
const resume = `update paid_call set deferred_at = null, facilitation = null where id = $1 and deferred_at is not null
  returning id`

const ended = `select p.seq, ${columns}, i.state as settling, ${transfer} as hash from paid_call p
  join intent i on i.key = 'x402:' || p.id join job j on j.id = p.job_id where p.chain_id = $1 and p.seq > $2`
const unpaid = `j.state = 'refunded' and p.valid_until > {NOW} - ${10 * minuteMs} and p.created_at > {NOW} - ${dayMs}`

/**
 * Maximum time in ms between the end of an authorization and the end of its call, because the settlement may wait for the
 * chain.
 */
const settledWithinMs = hourMs
const isOpen = `p.valid_until > {NOW} - ${settledWithinMs} and j.state not in ('settled', 'refunded', 'cancelled')`

const openOfPayer = `select p.amount from paid_call p join job j on j.id = p.job_id
  where p.payer = $1 and p.chain_id = $2 and ${isOpen}`

/** Columns that count the calls of a party, and name the earliest end of one. */
const shareOf = (party: string, condition: string, end: string) =>
  `sum(case when ${condition} then 1 else 0 end) as ${party}_open, ` +
  `min(case when ${condition} then ${end} end) as ${party}_ends_by`

const countOpen = `select ${shareOf('everybody', '1 = 1', 'j.evaluate_by')},
  ${shareOf('payer', 'p.payer = $1 and p.chain_id = $2', 'j.evaluate_by')},
  ${shareOf('agent', 'j.agent_id = $3', 'j.evaluate_by')}, ${shareOf('owner', 'a.owner = $4', 'j.evaluate_by')}
  from paid_call p join job j on j.id = p.job_id left join agent a on a.id = j.agent_id where ${isOpen}`

/** A settlement is requested when the work was accepted. The authorization of a call is valid for an hour at most. */
const countUnpaid = `select ${shareOf('unpaid', `j.state = 'refunded'`, `p.created_at + ${dayMs}`)}
  from paid_call p join job j on j.id = p.job_id join intent i on i.key = 'x402:' || p.id
  where p.payer = $1 and p.chain_id = $2 and p.valid_until > {NOW} - ${dayMs} and p.created_at > {NOW} - ${dayMs}`

// After a reorganisation another transaction may have made the transfer, and the receipt names that one.
const keep = `update paid_call set receipt = $2, receipt_of = $3 where id = $1 and (receipt_of is null or receipt_of <> $3)`

const shareCount = z.coerce.number()
const toShare = (row: Row | undefined, party: string): Share => {
  const endsBy = row?.[`${party}_ends_by`] ?? undefined
  return {
    open: shareCount.parse(row?.[`${party}_open`] ?? 0),
    endsBy: endsBy === undefined ? undefined : shareCount.parse(endsBy),
  }
}

export const paidCallTable = ({ read, aside, write }: Scope): PaidCallTables => ({
  decidedCalls: pagesOf({ read, aside }, `j.state in ('settled', 'refunded')`),
  unpaidCalls: pagesOf({ read, aside }, unpaid),

  addPaidCall: ({ settlement, facilitation, ...call }) =>
    write(async ({ sql }) => {
      const asked = facilitation && { facilitation: JSON.stringify(facilitation) }
      const values = { ...call, ...asked, settlement: toCallText(settlement) }
      const [insert, params] = insertion('paid_call', values, ['createdAt'])
      const claim = `${insert} on conflict (chain_id, asset, payer, nonce) do nothing returning ${calls.columns}`
      return calls.one(await sql(claim, params))
    }),

  deferSettlement: id =>
    write(async ({ sql, notify }) => {
      const isDeferred = (await sql(defer, [id])).length > 0
      if (isDeferred) notify('facilitators')
      return isDeferred
    }),

  deferredSettlements: async (chainId, limit) =>
    aside.sound('paid_call', deferred, await read(deferring, [chainId, aside.limit('paid_call', limit)])),

  resumeSettlement: id => write(async ({ sql }) => (await sql(resume, [id])).length > 0),

  takePaidCall: (id, taken) =>
    write(async ({ sql }) => {
      await sql('update paid_call set taken = $2 where id = $1', [id, String(taken)])
    }),

  paidCall: async id => followed.one(await read(`${following} where p.id = $1`, [id])),

  keepReceipt: (id, { receipt, transaction }) =>
    write(async ({ sql }) => {
      await sql(keep, [id, receipt, transaction])
      const [row] = await sql('select receipt from paid_call where id = $1', [id])
      return String(row?.receipt ?? receipt)
    }),

  paidCallOfJob: async jobId => followed.one(await read(`${following} where p.job_id = $1`, [jobId])),

  paidCallOfNonce: async ({ chainId, asset, payer, nonce }) => {
    const ofNonce = `${following} where p.chain_id = $1 and p.asset = $2 and p.payer = $3 and p.nonce = $4`
    return followed.one(await read(ofNonce, [chainId, asset, payer, nonce]))
  },

  lockPaidCalls: ({ payer, chainId, agentId, owner }) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`paid-calls:${payer}`])
      const open = amounts.all(await sql(openOfPayer, [payer, chainId]))
      const [counted] = await sql(countOpen, [payer, chainId, agentId, owner])
      const [failed] = await sql(countUnpaid, [payer, chainId])
      return {
        ...{ payer: toShare(counted, 'payer'), agent: toShare(counted, 'agent'), owner: toShare(counted, 'owner') },
        ...{ all: toShare(counted, 'everybody'), unpaid: toShare(failed, 'unpaid') },
        amount: open.reduce((sum, it) => sum + it.amount, 0n),
      }
    }),
})

const pagesOf =
  ({ read, aside }: Pick<Scope, 'read' | 'aside'>, condition: string): ReadCallPage =>
  async (chainId, { afterSeq, limit }) => {
    const page = [chainId, afterSeq, aside.limit('paid_call', limit)]
    return aside.sound('paid_call', paged, await read(`${ended} and ${condition} order by p.seq limit $3`, page))
  }
