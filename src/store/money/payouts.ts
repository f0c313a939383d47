import { z } from 'zod'
import { amount, maybe } from '../../ports/rows/columns.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const payouts = rowOf({
  jobId: z.string(),
  payee: z.string(),
  amount,
  chainId: z.number(),
  txHash: maybe(z.string()),
  at: z.number(),
})
const shares = rowOf({ span: z.coerce.number(), amount, count: z.coerce.number().transform(BigInt) })

// Reversed postings do not count.
const paid = `from posting p join job j on j.id = p.job_id join ledger_entry l on l.posting_key = p.key
  where j.agent_id = $1 and l.account like 'wallet:%' and l.amount not like '-%'
  and (p.key like 'job:%:payout%' or p.key like 'x402:%:payout%') and p.key not like '%:reversed'
  and not exists (select 1 from posting r where r.key = p.key || ':reversed')`

const newest = `select p.job_id, l.account as payee, l.amount, p.chain_id, p.tx_hash, p.at ${paid} order by p.seq desc limit $2`

// A fee payment that a reorganisation removed has no row.
const fees = `from token_fee f join token t on t.chain_id = f.chain_id and t.token = f.token
  join posting p on p.key = 'token-fee:' || f.seq where t.agent_id = $1`

/** Payments to agents' wallets. */
export const payoutTable = tableGroup(({ read }) => ({
  payouts: async (agentId, limit) =>
    payouts.all(await read(newest, [agentId, limit])).map(it => ({ ...it, txHash: it.txHash ?? '' })),

  payoutSums: async (agentId, starts) => {
    const select = `select ${spanOf('p.at', starts)} as span, l.amount, count(*) as count ${paid} and p.at >= $2 group by 1, 2`
    return sumsOf(starts, shares.all(await read(select, [agentId, ...starts])))
  },

  tokenFeeSums: async (agentId, starts) => {
    const select = `select ${spanOf('f.at', starts)} as span, f.amount, count(*) as count ${fees} and f.at >= $2 group by 1, 2`
    return sumsOf(starts, shares.all(await read(select, [agentId, ...starts])))
  },
}))

/** SQL expression that counts how many of the start times a payment is not before. */
const spanOf = (moment: string, starts: number[]) =>
  starts.map((_, at) => `case when ${moment} >= $${at + 2} then 1 else 0 end`).join(' + ')

/** Sums the amounts of each span here, because SQLite's integers are too small. */
const sumsOf = (starts: number[], found: ReturnType<typeof shares.all>) =>
  starts.map((_, at) => found.reduce((sum, it) => (it.span === at + 1 ? sum + it.amount * it.count : sum), 0n))
