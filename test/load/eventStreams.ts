import { createServer, type ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { z } from 'zod'
import type { Address } from '../../src/domain/hex.ts'
import type { Service } from '../../src/service.ts'
import type { User } from '../service.ts'
import { crowd, percentile, round } from './measures.ts'
import { portOf, runClients } from './runClients.ts'

/** Most events whose commit the writer waits for. A writer that is faster than the disk would fill the memory. */
const maxUncommitted = 500

const heard = z.object({ heard: z.array(z.tuple([z.string(), z.number()])), lagP99Ms: z.number() })

type Given = { service: Service; user: User; wallet: Address; count: number; seconds: number; say(line: string): void }
/** Sends event `bench` to a stream. Resolves when it is committed. */
type Add = (at: number, bench: string) => Promise<unknown>

/** The present time on the clock of the clients, in ms. */
const now = () => performance.timeOrigin + performance.now()

/** Writes 2000 events a second, and returns when each was begun and committed. */
const write = async (add: Add, { count, seconds }: Given) => {
  const [begun, committed] = [new Map<string, number>(), new Map<string, number>()]
  const uncommitted = new Set<Promise<void>>()
  const addOne = async (bench: string, at: number) => {
    await add(at, bench)
    committed.set(bench, now())
  }
  const started = performance.now()
  for (let nth = 0; performance.now() - started < seconds * 1_000; nth += 1) {
    const early = started + nth / 2 - performance.now()
    if (early > 0) await new Promise(resolve => setTimeout(resolve, early))
    if (uncommitted.size >= maxUncommitted) await Promise.race(uncommitted)
    begun.set(`${nth}`, now())
    const adding: Promise<void> = addOne(`${nth}`, (nth * 7_919) % count).finally(() => uncommitted.delete(adding))
    uncommitted.add(adding)
  }
  await Promise.all(uncommitted)
  return { begun, committed }
}

type Asks = { port: number; asks: { path: string; token?: string }[] }

/** Measures streams that are open, with their events written in this process, whose processor time is counted. */
const measure = async (add: Add, { port, asks }: Asks, given: Given) => {
  const lag = monitorEventLoopDelay({ resolution: 1 })
  let cpuMs = 0
  let written: ReturnType<typeof write> | undefined
  const listening = { kind: 'listen', port, asks, pattern: '"bench":"([^"]+)"', ms: (given.seconds + 5) * 1_000, streams: true }
  const { heard: answers, lagP99Ms } = await runClients(listening, heard, async () => {
    await new Promise(resolve => setTimeout(resolve, 3_000))
    lag.enable()
    const before = process.cpuUsage()
    written = write(add, given)
    await written
    const { user, system } = process.cpuUsage(before)
    cpuMs = (user + system) / 1_000
    lag.disable()
  })
  const { begun, committed } = (await written) ?? { begun: new Map<string, number>(), committed: new Map<string, number>() }
  given.say(`  ${committed.size} events committed, ${answers.length} heard`)
  const since = (from: Map<string, number>) =>
    answers.map(([bench, at]) => Math.max(0, at - (from.get(bench) ?? Number.NaN))).filter(it => !Number.isNaN(it))
  const lags = { client: lagP99Ms, service: lag.percentile(99) / 1e6 }
  return { sinceWrite: since(begun), sinceCommit: since(committed), lags, cpuMs: cpuMs / Math.max(1, committed.size) }
}

/** The same streams of a plain Node server in this process, which writes the same events at once and stores nothing. */
const measureBare = async (given: Given) => {
  const streams: ServerResponse[] = []
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    streams.push(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const toText = (at: number, bench: string) =>
    `data: ${JSON.stringify({ run_id: toRunId(at), seq: 1, type: 'understood', summary_text: 'bench', data: { bench }, timestamp: new Date().toISOString() })}\nid: 1\n\n`
  const add = async (at: number, bench: string) => streams[at]?.write(toText(at, bench))
  const asks = Array.from({ length: given.count }, () => ({ path: '/' }))
  const bare = await measure(add, { port, asks }, given)
  server.closeAllConnections()
  server.close()
  return bare
}

const toRunId = (at: number) => `run_stream_${at}`

/**
 * Ms from writing an event, and from its commit, to its arrival at a reader, who may get it before the writer's answer. `bare`
 * is the same for a plain server, and shows what the clients and other work of the machine cost.
 */
export const benchStreams = async (given: Given) => {
  const { service, user, wallet, count } = given
  const { store } = service.world.deps
  const ids = Array.from({ length: count }, (_, at) => toRunId(at))
  const addRun = (id: string) => store.addRun({ id, conversationId: id, user: wallet, chainId: 97, task: 'bench' })
  await crowd({ count, atOnce: 200 }, async at => void (await addRun(toRunId(at))))
  const bare = await measureBare(given)
  const add = (at: number, bench: string) =>
    store.addRunEvent(toRunId(at), { kind: 'understood', summary: 'bench', data: { bench } })
  const asks = ids.map(id => ({ path: `/runs/${id}/events`, token: user.token }))
  const ours = await measure(add, { port: portOf(service), asks }, given)
  const [commitP99, bareP99] = [ours.sinceCommit, bare.sinceCommit].map(it => percentile(it, 0.99))
  return {
    sse_streams: count,
    sse_p99_ms: round(percentile(ours.sinceWrite, 0.99)),
    sse_commit_p50_ms: round(percentile(ours.sinceCommit, 0.5)),
    sse_commit_p99_ms: round(commitP99 ?? Number.NaN),
    sse_bare_p99_ms: round(bareP99 ?? Number.NaN),
    sse_ratio: round((commitP99 ?? Number.NaN) / (bareP99 ?? Number.NaN)),
    sse_cpu_ms_per_event: round(ours.cpuMs),
    sse_bare_cpu_ms_per_event: round(bare.cpuMs),
    sse_client_lag_p99_ms: round(ours.lags.client),
    sse_service_lag_p99_ms: round(ours.lags.service),
  }
}
