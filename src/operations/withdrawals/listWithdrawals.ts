import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { assetSymbol } from '../../domain/tokens/agentToken.ts'
import type { FollowedWithdrawal } from '../../ports.ts'
import { withdrawalRecord } from '../../records/withdrawal.ts'
import { operation, userOf } from '../operation.ts'

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

export const listWithdrawals = operation({
  name: 'listWithdrawals',
  summary: 'Your withdrawals, newest first.',
  scope: 'look',
  input: z.object({}),
  output: z.object({ withdrawals: z.array(withdrawalRecord) }),

  async run(_, { store }, caller) {
    const withdrawals = await store.withdrawals({ user: userOf(caller), limit: limits.pageRows })
    return { withdrawals: withdrawals.map(toWithdrawalRecord) }
  },
})
