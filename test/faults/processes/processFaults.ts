import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Effect } from '../crash.ts'
import { task } from '../provider.ts'
import { addAudit, noteEnd, type RealTally } from '../real/tally.ts'
import { noteFailure, untilAborted } from '../real/untilAborted.ts'
import type { Cluster } from './cluster.ts'
import { openProcessMarket, type ProcessMarket } from './processMarket.ts'

/** Durations of the faults in ms. */
export type Durations = { stoppedMs: number; databaseMs: number; chainMs: number }

export type Fault = {
  name: string
  /** Why this machine cannot make the fault; undefined when it can. */
  obstacle?(market: ProcessMarket): string | undefined
  /** Whether the rows are still those of an earlier schema, which no audit can read. */
  isUnread?: boolean
  /** Before the hires begin. */
  prepare?(market: ProcessMarket): void
  /** While the hires are under way. */
  strike?(market: ProcessMarket, of: Durations): Promise<void>
}

const moments: Effect[] = ['proposed', 'funded', 'leased', 'stored', 'signed', 'sent', 'paid']

/** Every process dies after this moment, the leader as well, and so does the one that repeats the step. */
const dying = (after: Effect): Fault => ({
  name: `kill -9 after the moment: ${after}`,
  prepare({ places }) {
    for (const { life } of places) life.dieAfter(after)
  },
})

const others: Fault[] = [
  {
    name: 'kill -9 of the leader at any time',
    strike: async market => void (await market.leader()).place.life.kill(),
  },
  {
    name: "cut of the leader's session with the database",
    strike: async market => void (await market.cluster.ask('select pg_terminate_backend($1)', [(await market.leader()).session])),
  },
  {
    name: 'cut of every session with the database',
    strike: async ({ cluster }) =>
      void (await cluster.ask('select pg_terminate_backend(pid) from pg_stat_activity where application_name like $1', [
        'market %',
      ])),
  },
  {
    name: 'stop of the leader, which goes on later',
    async strike(market, { stoppedMs }) {
      const { place } = await market.leader()
      place.isStopped = true
      process.kill(place.life.pid, 'SIGSTOP')
      market.balancer.drop(place.port)
      await pause(stoppedMs)
      process.kill(place.life.pid, 'SIGCONT')
      place.isStopped = false
    },
  },
  { name: 'restart of PostgreSQL after a power cut', strike: ({ cluster }, { databaseMs }) => cluster.restart(databaseMs) },
  {
    name: 'no answer of the node',
    async strike({ proxy }, { chainMs }) {
      void proxy.add({ times: Number.POSITIVE_INFINITY, touches: () => true, reply: async () => 'cut' })
      await pause(chainMs)
      proxy.clear()
    },
  },
]

/** The disk of the tables has no room left. Clients are told so, and everything goes on without help once there is room again. */
const fullDisk: Fault = {
  name: 'full disk of the database',
  obstacle: ({ cluster }) => (cluster.volume ? undefined : 'this account may not mount a volume'),
  async strike({ cluster: { volume }, url }, { databaseMs }) {
    if (!volume) return
    await volume.fill()
    const told = await untilTold(url, databaseMs).finally(volume.empty)
    if (!told) throw new Error('No client was told that the disk is full.')
  },
}

/** Posts jobs until a client is told that the disk is full, and then waits as long as the disk stays full. */
const untilTold = async (url: string, ms: number): Promise<boolean> => {
  const endsAt = performance.now() + Math.max(ms, maxUntilToldMs)
  for (let nth = 0; performance.now() < endsAt; nth += 1) {
    const body = JSON.stringify({ client_id: `filler-${nth}`, description: 'x'.repeat(2_000) })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/v1/jobs`, { method: 'POST', headers, body }).catch(() => undefined)
    const problem = told.safeParse(await answer?.json().catch(() => undefined))
    if (problem.data?.code !== 'storage-full' || answer?.status !== 503) continue
    await pause(ms)
    return true
  }
  return false
}
const told = z.object({ code: z.string() })
const maxUntilToldMs = 30_000

export const processFaults: readonly Fault[] = [...moments.map(dying), ...others, fullDisk]

/** How long the hires that a fault met took from its begin until all had ended, in ms. The fault itself is included. */
export type Recovered = { name: string; ms: number; hires: number }

type Options = {
  processes: number
  /** The folder of the release that runs at first; this one when absent. */
  root?: string
  /** Starts the database server; a plain one when absent. */
  startDatabase?: () => Promise<Cluster>
  faults: readonly Fault[]
  durations: Durations
  signal: AbortSignal
  tell(line: string): void
}

const users = 3
/** Approximate duration of a hire in ms. Faults happen while the hires are under way. */
const underWayMs = 400

/** Strikes several processes on one database with each fault during hires, and audits database and chain after each. */
export const runProcessFaults = async (options: Options, tally: RealTally): Promise<Recovered[]> => {
  const { processes, root, startDatabase, faults, durations, signal, tell } = options
  const recovered: Recovered[] = []
  const onKill = () => {
    tally.kills += 1
  }
  const market = await openProcessMarket({ processes, users, root, startDatabase, onKill }).catch((error: unknown) =>
    noteFailure(tally, error, 'no market'),
  )
  if (!market) return recovered
  let name = ''
  const work = async () => {
    for (const fault of faults) {
      name = fault.name
      const obstacle = fault.obstacle?.(market)
      if (obstacle) {
        tell(`left out  ${name}: ${obstacle}`)
        continue
      }
      fault.prepare?.(market)
      const shown = await Promise.all(market.users.map(it => it.say(task)))
      const startedAt = performance.now()
      const striking = pause(underWayMs * Math.random()).then(() => fault.strike?.(market, durations))
      const hired = Promise.all(market.users.map(async (it, at) => shown[at] && it.confirm(shown[at])))
      const [ended] = await Promise.race([Promise.all([hired, striking]), market.failed])
      const ms = Math.round(performance.now() - startedAt)
      tally.hires += ended.length
      for (const it of ended) if (it?.state !== 'completed') tally.violations.push(`I3 a hire ended as ${it?.state} (${name})`)
      if (!fault.isUnread) addAudit(tally, await market.audit(), name)
      recovered.push({ name, ms, hires: ended.length })
      tally.slowestSettledMs = Math.max(tally.slowestSettledMs, ms)
      tell(`${String(ms).padStart(7)} ms  ${name}`)
    }
    for (const end of await market.stop()) noteEnd(tally, end)
  }
  await untilAborted(work, { tally, signal, where: () => name }).finally(market.close)
  return recovered
}
