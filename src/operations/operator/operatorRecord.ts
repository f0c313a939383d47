import { z } from 'zod'
import { conditionsOf, type OperatorState } from '../../domain/alerts.ts'
import { formatUsdc } from '../../domain/money.ts'

/** The native coin of every supported chain has 18 decimals. */
const coinDecimals = 18
const coin = z.string().describe('Native coin, decimal text')

/** The state of the service as the operator reads it. */
export const operatorRecord = z.object({
  alerts: z.array(z.object({ alert: z.string(), subject: z.string(), words: z.string(), remedy: z.string() })),
  chains: z.array(
    z.object({
      chain_id: z.number(),
      up: z.boolean(),
      block: z.number().optional(),
      blocks_behind: z.number().optional(),
      refused: z.string().optional(),
    }),
  ),
  wallets: z.array(
    z.object({
      chain_id: z.number(),
      role: z.string(),
      address: z.string(),
      coin,
      usdc: z.string(),
      coin_a_day: coin.optional().describe('The most that the transactions of the last seven days cost, per day'),
      days_left: z.number().optional(),
      is_filled: z.boolean(),
    }),
  ),
  backlog: z.array(z.object({ kind: z.string(), state: z.string(), count: z.number(), oldest_seconds: z.number() })),
  leaders: z.array(z.object({ leads: z.string(), process: z.string() })),
})
export type OperatorRecord = z.infer<typeof operatorRecord>

export const toOperatorRecord = (state: OperatorState): OperatorRecord => ({
  alerts: conditionsOf(state).map(({ alert, subject, words, remedy }) => ({ alert, subject, words, remedy })),
  chains: state.chains.map(({ chainId, up, block, behind, refused }) => ({
    ...{ chain_id: chainId, up, block, blocks_behind: behind, refused },
  })),
  wallets: state.wallets.map(it => ({
    ...{ chain_id: it.chainId, role: it.role, address: it.address, usdc: it.usdc, is_filled: it.isFilled },
    ...{ coin: formatUsdc(it.coinWei, coinDecimals), days_left: it.daysLeft },
    coin_a_day: it.spentWeiADay === undefined ? undefined : formatUsdc(it.spentWeiADay, coinDecimals),
  })),
  backlog: state.backlog.map(({ kind, state: of, count, oldestMs }) => ({
    ...{ kind, state: of, count, oldest_seconds: Math.round(oldestMs / 1_000) },
  })),
  leaders: state.leaders,
})
