import { toIso } from '../../domain/durations.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { conditionsOf, type OperatorState } from '../../domain/operator/alerts.ts'
import type { OperatorRecord } from '../../records/operator.ts'
import { renamed } from '../renamed.ts'

/** The native coin of every supported chain has 18 decimals. */
const coinDecimals = 18

export const toOperatorRecord = (state: OperatorState): OperatorRecord => ({
  alerts: conditionsOf(state).map(({ alert, subject, words, remedy }) => ({ alert, subject, words, remedy })),
  chains: state.chains.map(({ chainId, up, block, behind, refused }) => ({
    chain_id: chainId,
    up,
    block,
    blocks_behind: behind,
    refused,
  })),
  wallets: state.wallets.map(it => ({
    ...renamed(it, ['chainId', 'role', 'address', 'usdc', 'isFilled', 'daysLeft']),
    coin: formatUsdc(it.coinWei, coinDecimals),
    coin_a_day: it.spentWeiADay === undefined ? undefined : formatUsdc(it.spentWeiADay, coinDecimals),
  })),
  backlog: state.backlog.map(({ kind, state: of, count, oldestMs }) => ({
    kind,
    state: of,
    count,
    oldest_seconds: Math.round(oldestMs / 1_000),
  })),
  leaders: state.leaders,
  reports: (state.reports ?? []).map(({ agentId, reason, words, at }) => ({
    agent_id: agentId,
    reason,
    words,
    at: toIso(at),
  })),
})
