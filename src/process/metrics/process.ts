import { Gauge, type Registry } from 'prom-client'
import { housekeeping } from '../../domain/operator/offices.ts'
import type { Chain, Elections, Gateway, Store } from '../../ports.ts'
import { inTime } from './inTime.ts'

/** What the metrics read at each collection. */
export type Reach = {
  store: Pick<Store, 'backlog' | 'cursor' | 'endedHires' | 'jobCounts'>
  chains: ReadonlyMap<number, Chain>
  gateway: Pick<Gateway, 'presence'>
  elections: Pick<Elections, 'leads'>
  /** Connections of the pool for statements; absent for a database file. */
  connections?: (() => { used: number; idle: number; waiting: number }) | undefined
  /** Event streams that are open. */
  streams(): number
  /** Whether somebody can be hired now, as `/readyz` says. */
  isReady(): Promise<boolean>
}

/** A part that has not answered within this time in ms counts as away. */
const answerMs = 2_500

/** What is true of this process. Add it up, except `market_ready` and `market_chain_up`, of which each process has its own. */
export const watchProcess = (registry: Registry, reach: Reach): (() => Promise<void>) => {
  const registers = [registry]
  const streams = new Gauge({ name: 'market_streams_open', help: 'Event streams that are open', registers })
  const agents = new Gauge({ name: 'market_agents_seen', help: 'Agents that asked this process for work in a minute', registers })
  const ready = new Gauge({ name: 'market_ready', help: 'Whether somebody can be hired now, as /readyz says', registers })
  const pool = new Gauge({
    name: 'market_database_connections',
    help: 'Connections of the pool for statements',
    registers,
    labelNames: ['state'],
  })
  const waiting = new Gauge({
    name: 'market_database_waiting',
    help: 'Statements that wait for a connection of the pool',
    registers,
  })
  const leads = new Gauge({
    name: 'market_leads',
    help: 'What this process leads: a chain, or 0 for the market',
    registers,
    labelNames: ['chain'],
  })
  const up = new Gauge({
    name: 'market_chain_up',
    help: 'Whether the node of the chain answers this process',
    registers,
    labelNames: ['chain'],
  })
  return async () => {
    streams.set(reach.streams())
    agents.set(reach.gateway.presence.healthy().length)
    const { used, idle, waiting: queued } = reach.connections?.() ?? { used: 0, idle: 0, waiting: 0 }
    pool.set({ state: 'used' }, used)
    pool.set({ state: 'idle' }, idle)
    waiting.set(queued)
    for (const chain of [housekeeping, ...reach.chains.keys()])
      leads.set({ chain: `${chain}` }, reach.elections.leads(chain) ? 1 : 0)
    const ask = async (gauge: { set(value: number): void }, question: Promise<boolean>) =>
      gauge.set(await inTime(question, false, answerMs).then(Number))
    await Promise.all([
      ask(ready, reach.isReady()),
      ...[...reach.chains.values()].map(it => ask(up.labels(`${it.chainId}`), it.head().then(isAnswered))),
    ])
  }
}

const isAnswered = () => true
