import { Gauge, Histogram, type Registry } from 'prom-client'
import { isFinal } from '../../domain/jobs/job.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { housekeeping } from '../../domain/operator/offices.ts'
import type { Chain } from '../../ports.ts'
import type { Reach } from './process.ts'

const weiPerCoin = 1e18
/** Bounds in seconds: a private chain pays at once, a public one waits for its confirmations, and an appeal takes days. */
const buckets = [1, 5, 15, 30, 60, 120, 300, 900, 3_600, 86_400]

type Counted = Awaited<ReturnType<Reach['store']['jobCounts']>>[number]

/**
 * What is true of the whole market, by chain. Only the process that leads it exports it, so that a sum over all processes is
 * right.
 */
export const watchMarket = (registry: Registry, reach: Reach): (() => Promise<void>) => {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name, help: `${help} (leader only)`, labelNames, registers: [registry] })
  const gauges = {
    hires: gauge('market_hires', 'Hires with an escrow', ['chain', 'state']),
    usdc: gauge('market_usdc', 'USDC of hires: now in escrow, paid to agents, fees, given back', ['chain', 'place']),
    waiting: gauge('market_backlog', 'Open jobs, unmined effects and due runs', ['kind', 'state']),
    oldest: gauge('market_backlog_oldest_seconds', 'Age of the oldest one of each kind', ['kind', 'state']),
    behind: gauge('market_chain_blocks_behind', 'Blocks of the chain whose events were not read yet', ['chain']),
    coin: gauge('market_treasury_coin', 'Native coin of the treasury', ['chain']),
  }
  const histogram = (name: string, help: string, labelNames: string[]) =>
    new Histogram({ name, help: `${help} (leader only)`, labelNames, buckets, registers: [registry] })
  const durations = {
    hire: histogram('market_hire_seconds', 'Time from the yes to the end of a hire', ['chain', 'end']),
    settlement: histogram('market_settlement_seconds', 'Time from the deliverable to its payment', ['chain']),
  }
  const ends = followEnds(reach, durations)
  return async () => {
    if (!reach.elections.leads(housekeeping)) {
      for (const it of Object.values(gauges)) it.reset()
      ends.forget()
      return
    }
    await Promise.allSettled([readBacklog(reach, gauges), readMoney(reach, gauges), ends.read(), readChains(reach, gauges)])
  }
}

type Gauges = Record<'hires' | 'usdc' | 'waiting' | 'oldest' | 'behind' | 'coin', Gauge>

const readBacklog = async ({ store }: Reach, { waiting, oldest }: Gauges): Promise<void> => {
  const backlog = await store.backlog()
  waiting.reset()
  oldest.reset()
  for (const { kind, state, count, oldestMs } of backlog) {
    waiting.set({ kind, state }, count)
    oldest.set({ kind, state }, oldestMs / 1_000)
  }
}

const readMoney = async ({ store, chains }: Reach, { hires, usdc }: Gauges): Promise<void> => {
  const counted = await store.jobCounts({ ofMarket: true })
  hires.reset()
  usdc.reset()
  const sums = new Map<string, { chain: string; place: string; sum: bigint; decimals: number }>()
  for (const it of counted.filter(({ budget }) => budget > 0n)) {
    const chain = `${it.chainId}`
    hires.inc({ chain, state: it.state }, it.count)
    const decimals = chains.get(it.chainId)?.usdcDecimals
    if (decimals !== undefined)
      for (const [place, amount] of placesOf(it)) {
        const key = `${chain} ${place}`
        const sum = (sums.get(key)?.sum ?? 0n) + amount * BigInt(it.count)
        sums.set(key, { chain, place, sum, decimals })
      }
  }
  for (const { chain, place, sum, decimals } of sums.values()) usdc.set({ chain, place }, Number(formatUsdc(sum, decimals)))
}

/** Where the USDC of a hire in this state is. */
const placesOf = ({ state, budget, fee }: Counted): [place: string, amount: bigint][] => {
  if (state === 'settled')
    return [
      ['paid', budget - fee],
      ['fees', fee],
    ]
  if (state === 'refunded') return [['refunded', budget]]
  return state === 'open' || isFinal(state) ? [] : [['escrowed', budget]]
}

type Durations = Record<'hire' | 'settlement', Histogram>

/** Observes the hires that ended since the last collection of this process as leader, and none twice. */
const followEnds = ({ store }: Reach, { hire, settlement }: Durations) => {
  let upTo: number | undefined
  return {
    async read(): Promise<void> {
      const ended = await store.endedHires(upTo)
      upTo = ended.upTo
      for (const { chainId, state, hireMs, settlementMs } of ended.hires) {
        const chain = `${chainId}`
        hire.observe({ chain, end: state }, hireMs / 1_000)
        if (state === 'settled' && settlementMs !== undefined) settlement.observe({ chain }, settlementMs / 1_000)
      }
    },
    /** Another process has observed what ended meanwhile. */
    forget() {
      upTo = undefined
    },
  }
}

const readChains = async ({ store, chains }: Reach, { behind, coin }: Gauges): Promise<void> => {
  const readChain = async (chain: Chain) => {
    const label = { chain: `${chain.chainId}` }
    const { number } = await chain.head()
    const cursor = await store.cursor(chain.chainId)
    if (cursor) behind.set(label, Math.max(0, Number(number - cursor.number)))
    const held = await chain.coinBalance?.(chain.treasury)
    if (held !== undefined) coin.set(label, Number(held) / weiPerCoin)
  }
  await Promise.allSettled([...chains.values()].map(readChain))
}
