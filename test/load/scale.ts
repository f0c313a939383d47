import { setTimeout as delay } from 'node:timers/promises'
import { openProcessMarket, type ProcessMarket } from '../faults/processes/processMarket.ts'
import { task } from '../faults/provider.ts'
import { until } from '../faults/until.ts'
import { costOf, crowd, percentile, round } from './measures.ts'

type Options = {
  processes: number[]
  hires: number
  warmUps: number
  users: number
  databaseDelay: number
  say(line: string): void
}

const idleMs = 10_000
/** The leader of a chain looks less often at it this long after its last transaction, in ms. */
const restsAfterMs = 12_000
const underWay = `select seq from intent where state in ('waiting', 'sent') and held is null limit 1`
const watchedHires = 5
const soleHires = 5
const lookMs = 20

/**
 * Hires on several processes that share one PostgreSQL server and one node. Users and the agent reach any of them through a
 * balancer. The processor time is that of the service processes alone.
 */
export const benchScale = async ({ processes, say, ...options }: Options) => {
  const found: Awaited<ReturnType<typeof benchOne>>[] = []
  for (const count of processes) {
    say(`${count} processes …`)
    found.push(await benchOne(count, options))
    say(`  ${JSON.stringify(found.at(-1))}`)
  }
  const column = (name: keyof (typeof found)[number]) => found.map(it => it[name])
  return {
    processes,
    ...Object.fromEntries((Object.keys(found[0] ?? {}) as (keyof (typeof found)[number])[]).map(name => [name, column(name)])),
  }
}

const benchOne = async (processes: number, { hires, warmUps, users, databaseDelay }: Omit<Options, 'processes' | 'say'>) => {
  const market = await openProcessMarket({ processes, users, databaseDelayMs: databaseDelay })
  try {
    const settled = (count: number) => crowd({ count, atOnce: users }, at => hire(market, at % users))
    // Each process compiles the program for itself while it does its first hires.
    await settled(warmUps * processes)
    const requests = () => [...market.proxy.asked().values()].reduce((sum, it) => sum + it, 0)
    const pids = market.places.map(it => it.life.pid)
    const before = requests()
    const { cpuMs, ms } = await costOf(pids, () => settled(hires))
    const asked = requests() - before
    const alone: number[] = []
    await crowd({ count: soleHires, atOnce: 1 }, async () => {
      alone.push((await costOf(pids, () => hire(market, 0))).ms)
    })
    const events = await eventDelays(market)
    await until('no transaction under way', async () => ((await market.cluster.ask(underWay)).length === 0 ? true : undefined))
    await delay(restsAfterMs)
    const [idleFrom, idle] = [requests(), await costOf(pids, () => delay(idleMs))]
    return {
      settled_per_s: round((1_000 * hires) / ms),
      cpu_ms_per_hire: round(cpuMs / hires),
      hire_alone_s: round(percentile(alone, 0.5) / 1_000),
      rpc_per_hire: round(asked / hires),
      idle_rpc_per_s: round((1_000 * (requests() - idleFrom)) / idle.ms),
      idle_cpu_ms_per_s: round((1_000 * idle.cpuMs) / idle.ms),
      event_other_process_p50_ms: round(percentile(events, 0.5)),
      event_other_process_p99_ms: round(percentile(events, 0.99)),
    }
  } finally {
    await market.close()
  }
}

const hire = async ({ users }: ProcessMarket, at: number): Promise<void> => {
  const user = users[at]
  if (!user) throw new RangeError(`no user ${at}`)
  const { state } = await user.confirm(await user.say(task))
  if (state !== 'completed') throw new Error(`A hire of the bench ended ${state}.`)
}

/** Ms from the time of each event of some hires to its arrival at a reader, at every process. */
const eventDelays = async ({ users: [user], places }: ProcessMarket): Promise<number[]> => {
  const delays: number[] = []
  if (!user) return delays
  for (let times = 0; times < watchedHires; times += 1) {
    const shown = await user.say(task)
    const ending = new AbortController()
    const reading = places.map(({ port }) =>
      listen({ url: `http://127.0.0.1:${port}/runs/${shown.runId}/events`, token: user.token, signal: ending.signal }, at =>
        delays.push(Date.now() - at),
      ),
    )
    await user.confirm(shown)
    ending.abort()
    await Promise.all(reading)
  }
  return delays
}

type Stream = { url: string; token: string; signal: AbortSignal }

/** The times of the events in a part of a stream, in epoch ms. */
const timesIn = (chunk: string): number[] => [...chunk.matchAll(/"timestamp":"([^"]+)"/g)].map(([, at = '']) => Date.parse(at))

/** Follows a run, whose stream ends while it waits for its user. Reports the time of each event since then, in epoch ms. */
const listen = async ({ url, token, signal }: Stream, heard: (at: number) => void): Promise<void> => {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  while (!signal.aborted) {
    try {
      const { ok, status, body } = await fetch(url, { headers, signal })
      if (!ok) throw new Error(`${url} was answered ${status}.`)
      const since = Date.now()
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? [])
        for (const at of timesIn(chunk).filter(it => it >= since)) heard(at)
      await delay(lookMs)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
