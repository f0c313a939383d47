import { dayMs, minuteMs, toIso } from '../../domain/durations.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import {
  type ChainState,
  conditionsOf,
  contestMs,
  type Failing,
  type Leader,
  type OperatorState,
  toADay,
  toDaysLeft,
  type WalletState,
} from '../../domain/operator/alerts.ts'
import { housekeeping } from '../../domain/operator/offices.ts'
import type { Chain, Clock, Elections } from '../../ports.ts'
import type { OperatorRecord } from '../../records/operator.ts'
import type { Deps } from '../operation.ts'
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

/** A worker that failed long ago and had no step since is not failing any more. */
const forgottenMs = 120_000

export type Failures = ReturnType<typeof createFailures>

/** Remembers since when each worker of this process has failed without a success. */
export const createFailures = (clock: Clock) => {
  const failing = new Map<string, { since: number; last: number }>()
  return {
    failed(worker: string) {
      const now = clock.now()
      const before = failing.get(worker)
      failing.set(worker, { since: before && now - before.last < forgottenMs ? before.since : now, last: now })
    },
    succeeded: (worker: string) => void failing.delete(worker),
    list: (now: number): Failing[] =>
      [...failing].flatMap(([worker, { since, last }]) => (now - last < forgottenMs ? [{ worker, sinceMs: now - since }] : [])),
  }
}

export type OperatorReach = Pick<Deps, 'store' | 'chains' | 'refusedChains' | 'clock' | 'wakeups' | 'newestReports'> & {
  elections: Pick<Elections, 'leaders'>
  failures: Failures
}

/** Time limit of each read of a chain in ms. A chain that has not answered by then counts as down. */
const timeoutMs = 5_000
/** How long an unreadable row counts after a process last met it, in ms; a process records it each minute. */
const unreadableMs = 5 * minuteMs
const shownReports = 20
/** Maximum number of agents with two pollers in an alert. */
const namedContests = 5
/** Transactions of a wallet that its daily costs are computed from, and how old they may be. */
const maxCounted = 500
const countedMs = 7 * dayMs

/** Reads what the operator wants to know. A chain that does not answer is reported as such. */
export const readOperatorState = async (reach: OperatorReach): Promise<OperatorState> => {
  const { store, chains, refusedChains = new Map<number, string>(), elections, failures, clock } = reach
  const served = await Promise.all([...chains.values()].map(it => readChain(reach, it)))
  const refused = [...refusedChains].map(([chainId, reason]) => ({
    chainId,
    up: false,
    block: undefined,
    behind: undefined,
    refused: reason,
  }))
  return {
    chains: [...served.map(it => it.chain), ...refused],
    wallets: served.flatMap(it => it.wallets),
    backlog: await store.backlog(),
    failing: failures.list(clock.now()),
    lateJobs: await store.lateJobs(),
    contests: await store.contests({ withinMs: contestMs, limit: namedContests }),
    unreadable: await store.unreadableRows(unreadableMs),
    leaders: (await elections.leaders()).map(toLeader),
    reports: (await reach.newestReports?.(store, shownReports)) ?? [],
  }
}

const toLeader = ({ key, process }: { key: number; process: string }): Leader => ({
  leads: key === housekeeping ? 'alerts and retention' : `chain ${key}`,
  process,
})

const readChain = async (reach: OperatorReach, chain: Chain): Promise<{ chain: ChainState; wallets: WalletState[] }> => {
  const { chainId } = chain
  const down = { chain: { chainId, up: false, block: undefined, behind: undefined }, wallets: [] }
  const late = reach.wakeups.wait('', timeoutMs).then(() => down)
  return Promise.race([readNow(reach, chain).catch(() => down), late])
}

const readNow = async (reach: OperatorReach, chain: Chain): Promise<{ chain: ChainState; wallets: WalletState[] }> => {
  const { chainId } = chain
  const { number } = await chain.head()
  const cursor = await reach.store.cursor(chainId)
  const behind = cursor && Math.max(0, Number(number - cursor.number))
  const roles = ['treasury', 'evaluator', 'deployer'] as const
  const wallets = await Promise.all(roles.map(role => readWallet(reach, chain, role)))
  return { chain: { chainId, up: true, block: Number(number), behind }, wallets: wallets.flat() }
}

const readWallet = async ({ store, clock }: OperatorReach, chain: Chain, role: WalletState['role']): Promise<WalletState[]> => {
  const wallet = await store.wallet(role, '')
  if (!wallet) return []
  const { address } = wallet
  const [coinWei = 0n, usdc] = await Promise.all([chain.coinBalance?.(address), chain.usdcBalance(address)])
  const isTreasury = role === 'treasury'
  // The deployer acts in the command line only.
  const isFilled =
    role === 'deployer' || (await chain.hasGas(address, isTreasury ? chain.topUp(chain.evaluator) : chain.complete(0n, '')))
  const mined = await store.minedSince({ chainId: chain.chainId, sender: address, sinceMs: countedMs, limit: maxCounted })
  const oldest = Math.min(...mined.map(it => it.at))
  const cost = mined.reduce((sum, it) => sum + (chain.maxCost?.(it.raw) ?? 0n), 0n)
  const spentWeiADay = mined.length === 0 ? undefined : toADay(cost, clock.now() - oldest)
  return [
    {
      chainId: chain.chainId,
      role,
      address,
      coinWei,
      usdc: formatUsdc(usdc, chain.usdcDecimals),
      spentWeiADay,
      daysLeft: toDaysLeft(coinWei, spentWeiADay),
      isFilled,
    },
  ]
}
