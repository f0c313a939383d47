import { z } from 'zod'
import type { Tables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { amount, maybe, rowOf } from '../engine/rows.ts'

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

/** Payments to agents' wallets. */
export const payoutTable = ({ read }: Scope): Pick<Tables, 'payouts' | 'payoutSums'> => ({
  payouts: async (agentId, limit) =>
    payouts.all(await read(newest, [agentId, limit])).map(it => ({ ...it, txHash: it.txHash ?? '' })),

  payoutSums: async (agentId, starts) => {
    // Groups payments by the number of `starts` they follow. The amounts are summed here, because SQLite's integers are too
    // small.
    const span = starts.map((_, at) => `case when p.at >= $${at + 2} then 1 else 0 end`).join(' + ')
    const select = `select ${span} as span, l.amount, count(*) as count ${paid} and p.at >= $2 group by 1, 2`
    const found = shares.all(await read(select, [agentId, ...starts]))
    return starts.map((_, at) => found.reduce((sum, it) => (it.span === at + 1 ? sum + it.amount * it.count : sum), 0n))
  },
})
