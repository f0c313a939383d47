import type { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { assetSymbol } from '../../domain/tokens/agentToken.ts'
import type { FollowedWithdrawal } from '../../ports.ts'
import type { withdrawalRecord } from '../../records/withdrawal.ts'

const statuses = { waiting: 'pending', sent: 'pending', confirmed: 'done', reverted: 'failed' } as const

export const toWithdrawalRecord = (it: FollowedWithdrawal): z.infer<typeof withdrawalRecord> => ({
  withdrawal_id: it.id,
  chain_id: it.chainId,
  from: it.wallet,
  to: it.to,
  amount: formatUsdc(it.amount, it.decimals),
  asset: it.asset === 'usdc' || it.asset === 'wrapped' || it.asset === 'coin' ? assetSymbol(it.asset, it.chainId) : it.asset,
  status: statuses[it.state],
  tx_hash: it.hash ?? null,
  created_at: toIso(it.createdAt),
})
