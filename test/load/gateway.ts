import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { json, text } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'
import { readConfig } from '../../src/config.ts'
import { type Address, toWallet } from '../../src/domain/hex.ts'
import { type Service, startService } from '../../src/service.ts'
import { openUser } from '../service.ts'
import { offering } from '../store/rows.ts'
import { crowd, percentile, round } from './measures.ts'

type Wrap = NonNullable<Parameters<typeof startService>[0]['wrap']>
type Options = { agents: number; waiting: number; streams: number; seconds: number; say(line: string): void }

/** How long the waiting polls of the benchmark listen, in ms: less than a poll waits. */
const listenMs = 20_000
/** Most events whose commit the writer waits for. A writer that is faster than the disk would fill the memory. */
const maxUncommitted = 500

const client = new URL('client.ts', import.meta.url).pathname

/** Runs clients in another process. `whenListening` is called once they listen. */
const run = async <T extends z.ZodType>(work: unknown, answer: T, whenListening?: () => Promise<void>): Promise<z.output<T>> => {
  const child = spawn(process.execPath, [client], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(JSON.stringify(work))
  const said = text(child.stderr)
  child.stderr.once('data', () => void whenListening?.())
  const result = await json(child.stdout).catch(async () => Promise.reject(new Error(await said)))
  return answer.parse(result)
}

const rate = z.object({ perSecond: z.number() })
const latencies = z.object({ latencies: z.array(z.number()), worstSecond: z.array(z.number()) })
const heard = z.object({ heard: z.array(z.tuple([z.string(), z.number()])), lagP99Ms: z.number() })

/**
 * Ms since the write and the commit of each event, and processor time of the service for each, with its write. `lags`: how late
 * the event loop of each process is, 99th percentile, in ms.
 */
type Heard = { sinceWrite: number[]; sinceCommit: number[]; lags: { client: number; service: number }; cpuMs: number }

/** Measures the gateway with many agents and readers, beside a bare route of the same framework in the same process. */
export const benchGateway = async ({ agents, waiting, streams, seconds, say }: Options) => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-gateway-'))
  const env = {
    PORT: '0',
    DATA_DIR: dir,
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    MAX_STREAMS: `${streams * 2}`,
    MAX_STREAMS_PER_USER: `${streams * 2}`,
  }
  // No runs are advanced, because this measures only the gateway and the streams, and an advanced run would end.
  const wrap: Wrap = ({ store, chain }) => ({ chain, store: { ...store, claimRuns: async () => [] } })
  const service = await startService({ config: readConfig(env), wrap })
  const bare = serve({ fetch: new Hono().get('/bare', c => c.json({})).fetch, hostname: '127.0.0.1', port: 0 })
  try {
    const bench = await prepare(service, { dir, say })
    say(`Registering ${agents} agents …`)
    await bench.addAgents(Math.max(agents, waiting))
    const ratio = await compare(service, bare, say)
    say(`${agents} agents that poll every 3 s, ${seconds} s …`)
    const polls = await run(
      { kind: 'paced', port: portOf(service), paths: toPolls(agents), everyMs: 3_000, ms: seconds * 1_000 },
      latencies,
    )
    say(`  ${polls.latencies.length} polls`)
    say(`${waiting} polls that wait, a job for each …`)
    const longPolls = await bench.longPolls(waiting)
    say(`${streams} streams, 2000 events a second, ${seconds} s …`)
    const events = await bench.streams(streams, seconds)
    say(`  ${events.sinceWrite.length} events heard`)
    return {
      empty_poll_ratio: round(ratio),
      agents,
      poll_p99_ms: round(percentile(polls.latencies, 0.99)),
      poll_worst_second_p99_ms: round(percentile(polls.worstSecond, 0.99)),
      longpoll_p99_ms: round(percentile(longPolls, 0.99)),
      sse_streams: streams,
      sse_p99_ms: round(percentile(events.sinceWrite, 0.99)),
      sse_commit_p50_ms: round(percentile(events.sinceCommit, 0.5)),
      sse_commit_p99_ms: round(percentile(events.sinceCommit, 0.99)),
      sse_cpu_ms_per_event: round(events.cpuMs),
      sse_client_lag_p99_ms: round(events.lags.client),
      sse_service_lag_p99_ms: round(events.lags.service),
    }
  } finally {
    bare.close()
    await service.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

const portOf = ({ url }: Pick<Service, 'url'>) => Number(new URL(url).port)
const registry = '0x8004a818bfb912233c491871b3d84c89a494bd9e'
const idOf = (at: number) => `97:${registry}:${1_000_000 + at}`
const toPolls = (count: number) => Array.from({ length: count }, (_, at) => `/gateway/jobs/poll?agent=${idOf(at)}`)

/** Measures both alternately, so that other load on the machine affects both. */
const compare = async (service: Service, bare: ReturnType<typeof serve>, say: (line: string) => void): Promise<number> => {
  const address = bare.address()
  const barePort = typeof address === 'object' && address ? address.port : 0
  const shared = { kind: 'flood', sockets: 64, ms: 2_000 }
  const rates = { ours: [0], bare: [0] }
  for (let round = 0; round < 3; round += 1) {
    rates.bare.push((await run({ ...shared, port: barePort, paths: ['/bare'] }, rate)).perSecond)
    rates.ours.push((await run({ ...shared, port: portOf(service), paths: toPolls(1_000) }, rate)).perSecond)
  }
  const [ours, plain] = [Math.max(...rates.ours), Math.max(...rates.bare)]
  say(`empty polls ${round(ours)}/s, a bare route ${round(plain)}/s`)
  return ours / plain
}

/** Creates an agent, a user, and functions that enqueue work. */
const prepare = async (service: Service, { dir, say }: { dir: string; say: Options['say'] }) => {
  const { store } = service.world.deps
  const user = await openUser(service.url, join(dir, 'bench-user.json'))
  const wallet: Address = toWallet(user.wallet) ?? `0x${'1'.repeat(40)}`

  const addAgents = async (count: number) => {
    const addOne = async (at: number) => {
      const key = `97:bench-${at}`
      const body = {
        key,
        chainId: 97,
        handle: `bench-${at}`,
        owner: wallet,
        wallet,
        name: key,
        description: '',
        endpointUrl: undefined,
        viaGateway: true,
        card: {},
      }
      await store.addAgent(body)
      await store.setAgentId(key, idOf(at))
    }
    await crowd({ count, atOnce: 200 }, addOne)
  }

  const addRun = (id: string) => store.addRun({ id, conversationId: id, user: wallet, chainId: 97, task: 'bench' })

  /** Adds a queued free job of an agent. */
  const enqueue = async (at: number) => {
    const runId = `run_bench_${at}`
    await addRun(runId)
    const now = Date.now()
    const deadlines = {
      pickupBy: now + 60_000,
      leaseMs: 60_000,
      submitBy: now + 600_000,
      evaluateBy: now + 900_000,
      expiresAt: now + 1_200_000,
    }
    const terms = {
      chainId: 97,
      agentId: idOf(at),
      agentHandle: `bench-${at}`,
      offeringId: 'notes',
      offeringName: 'Notes',
      offeringVersion: 1,
      input: '{}',
      price: '0',
      fee: '0',
      total: '0',
      slaMinutes: 10,
    }
    const id = `job_bench_${at}`
    await store.addJob({
      id,
      runId,
      agentId: idOf(at),
      agentWallet: wallet,
      chainId: 97,
      user: wallet,
      userWallet: wallet,
      terms,
      offering: offering(),
      checklist: [],
      budget: 0n,
      fee: 0n,
      deadlines,
    })
    await store.moveJob(id, 'fund')
    const asked = performance.timeOrigin + performance.now()
    await store.moveJob(id, 'queue')
    return { id, asked }
  }

  return {
    addAgents,
    /** Ms from writing a job to the response of its waiting poll. */
    async longPolls(count: number): Promise<number[]> {
      const asks = toPolls(count).map(path => ({ path: `${path}&timeout=25` }))
      const at = new Map<string, number>()
      // A poll waits 25 s at most. What was not written by then is not measured.
      const work = { kind: 'listen', port: portOf(service), asks, pattern: '"job_id":"([^"]+)"', ms: listenMs, streams: false }
      let written = Promise.resolve()
      const write = async () => {
        await new Promise(resolve => setTimeout(resolve, 1_000))
        const endsAt = performance.now() + listenMs - 2_000
        await crowd({ count, atOnce: 16 }, async nth => {
          if (performance.now() > endsAt) return
          const { id, asked } = await enqueue(nth)
          at.set(id, asked)
        })
      }
      const { heard: answers } = await run(work, heard, async () => {
        written = write()
        await written
      })
      await written
      say(`  ${at.size} jobs written`)
      return answers.flatMap(([id, now]) => now - (at.get(id) ?? Number.NaN)).filter(it => !Number.isNaN(it))
    },

    /** Ms from writing an event, and from its commit, to its arrival at a reader. A reader may get it before the writer's answer. */
    async streams(count: number, secondsOf: number): Promise<Heard> {
      const lag = monitorEventLoopDelay({ resolution: 1 })
      let cpuMs = 0
      const ids = Array.from({ length: count }, (_, nth) => `run_stream_${nth}`)
      await crowd({ count, atOnce: 200 }, async nth => void (await addRun(ids[nth] ?? '')))
      const asks = ids.map(id => ({ path: `/runs/${id}/events`, token: user.token }))
      const at = new Map<string, number>()
      const committed = new Map<string, number>()
      const work = {
        kind: 'listen',
        port: portOf(service),
        asks,
        pattern: '"bench":"([^"]+)"',
        ms: (secondsOf + 5) * 1_000,
        streams: true,
      }
      const uncommitted = new Set<Promise<void>>()
      const add = async (bench: string, runId: string) => {
        await store.addRunEvent(runId, { kind: 'understood', summary: 'bench', data: { bench } })
        committed.set(bench, performance.timeOrigin + performance.now())
      }
      const write = async () => {
        await new Promise(resolve => setTimeout(resolve, 3_000))
        const started = performance.now()
        for (let nth = 0; performance.now() - started < secondsOf * 1_000; nth += 1) {
          const early = started + nth / 2 - performance.now()
          if (early > 0) await new Promise(resolve => setTimeout(resolve, early))
          if (uncommitted.size >= maxUncommitted) await Promise.race(uncommitted)
          const bench = `${nth}`
          at.set(bench, performance.timeOrigin + performance.now())
          const adding: Promise<void> = add(bench, ids[(nth * 7_919) % ids.length] ?? '').finally(() =>
            uncommitted.delete(adding),
          )
          uncommitted.add(adding)
        }
        await Promise.all(uncommitted)
      }
      let written = Promise.resolve()
      const { heard: answers, lagP99Ms } = await run(work, heard, async () => {
        lag.enable()
        const before = process.cpuUsage()
        written = write()
        await written
        const { user: inUser, system } = process.cpuUsage(before)
        cpuMs = (inUser + system) / 1_000
        lag.disable()
      })
      await written
      say(`  ${committed.size} events committed`)
      const since = (begun: Map<string, number>) =>
        answers.map(([bench, now]) => Math.max(0, now - (begun.get(bench) ?? Number.NaN))).filter(it => !Number.isNaN(it))
      const lags = { client: lagP99Ms, service: lag.percentile(99) / 1e6 }
      return { sinceWrite: since(at), sinceCommit: since(committed), lags, cpuMs: cpuMs / Math.max(1, committed.size) }
    },
  }
}
