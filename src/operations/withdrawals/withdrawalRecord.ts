import { z } from 'zod'
import { assetSymbol } from '../../domain/agentToken.ts'
import { formatUsdc } from '../../domain/money.ts'
import type { FollowedWithdrawal } from '../../ports.ts'

/** A withdrawal as its owner reads it: amount as decimal text, time in ISO 8601. */
export const withdrawalRecord = z.object({
  withdrawal_id: z.string(),
  chain_id: z.number(),
  from: z.string().describe('The custodial wallet'),
  to: z.string().describe('Your own wallet'),
  amount: z.string(),
  asset: z.string().describe('Symbol of USDC, coin or wrapped coin, or the address of a token'),
  status: z.enum(['pending', 'done', 'failed']),
  tx_hash: z.string().nullable(),
  created_at: z.string(),
})

const statuses = { waiting: 'pending', sent: 'pending', confirmed: 'done', reverted: 'failed' } as const

export const toWithdrawalRecord = (it: FollowedWithdrawal): z.infer<typeof withdrawalRecord> => ({
  withdrawal_id: it.id,
  chain_id: it.chainId,
  from: it.wallet,
  to: it.user,
  amount: formatUsdc(it.amount, it.decimals),
  asset: it.asset === 'usdc' || it.asset === 'wrapped' || it.asset === 'coin' ? assetSymbol(it.asset, it.chainId) : it.asset,
  status: statuses[it.state],
  tx_hash: it.hash ?? null,
  created_at: new Date(it.createdAt).toISOString(),
})
