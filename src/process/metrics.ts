import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Chain, Store } from '../ports.ts'

type Reach = { store: Pick<Store, 'backlog' | 'cursor'>; chains: ReadonlyMap<number, Chain> }

export type Metrics = ReturnType<typeof createMetrics>

/** Upper bounds of the duration buckets, in seconds. */
const buckets = [0.005, 0.02, 0.1, 0.5, 2, 10]
const weiPerCoin = 1e18

/** Counts what one process does. */
export const createMetrics = () => {
  const registry = new Registry()
  const registers = [registry]
  const beforeEach: (() => Promise<void>)[] = []
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    ...{ name: 'market_request_seconds', help: 'Duration of answered requests', buckets, registers },
    labelNames: ['method', 'status'],
  })
  const steps = new Histogram({
    ...{ name: 'market_worker_step_seconds', help: 'Duration of steps of workers', buckets, registers },
    labelNames: ['worker'],
  })
  const failures = new Counter({
    ...{ name: 'market_worker_failures_total', help: 'Steps of workers that failed and are tried again', registers },
    labelNames: ['worker'],
  })
  return {
    /** Counts one answered request. */
    countRequest: (method: string, status: number, ms: number) => requests.observe({ method, status: `${status}` }, ms / 1_000),
    /** Counts one step of a worker. */
    countStep: (worker: string, ms: number) => steps.observe({ worker }, ms / 1_000),
    countFailure: (worker: string) => failures.inc({ worker }),
    /** Adds what is read from the database and the chains at each collection. */
    watch: (reach: Reach) => watch(registry, beforeEach, reach),
    /** The metrics as Prometheus reads them (exposition format 0.0.4). */
    collect: async () => {
      // A failed read keeps the previous value of its metric, and the other metrics are still returned.
      await Promise.allSettled(beforeEach.map(read => read()))
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

const watch = (registry: Registry, beforeEach: (() => Promise<void>)[], { store, chains }: Reach): void => {
  const registers = [registry]
  const gauge = (name: string, help: string, labelNames: string[]) => new Gauge({ name, help, labelNames, registers })
  const waiting = gauge('market_backlog', 'Open jobs, unmined effects and due runs', ['kind', 'state'])
  const oldest = gauge('market_backlog_oldest_seconds', 'Age of the oldest one of each kind', ['kind', 'state'])
  const behind = gauge('market_chain_blocks_behind', 'Blocks of the chain whose events were not read yet', ['chain'])
  const coin = gauge('market_treasury_coin', 'Native coin of the treasury', ['chain'])
  const answers = gauge('market_chain_up', 'Whether the node of the chain answers', ['chain'])
  const readChainAge = async (chain: Chain) => {
    const label = { chain: `${chain.chainId}` }
    try {
      const { number } = await chain.head()
      const cursor = await store.cursor(chain.chainId)
      if (cursor) behind.set(label, Number(number - cursor.number))
      const held = await chain.coinBalance?.(chain.treasury)
      if (held !== undefined) coin.set(label, Number(held) / weiPerCoin)
      answers.set(label, 1)
    } catch {
      answers.set(label, 0)
    }
  }
  beforeEach.push(async () => {
    waiting.reset()
    oldest.reset()
    for (const { kind, state, count, oldestMs } of await store.backlog()) {
      waiting.set({ kind, state }, count)
      oldest.set({ kind, state }, oldestMs / 1_000)
    }
    await Promise.all([...chains.values()].map(readChainAge))
  })
}
