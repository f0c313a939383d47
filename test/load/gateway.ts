import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'
import { readConfig } from '../../src/config.ts'
import { type Address, toWallet } from '../../src/domain/hex.ts'
import { type Service, startService } from '../../src/service.ts'
import { openUser } from '../service.ts'
import { offering } from '../store/rows.ts'
import { benchStreams } from './eventStreams.ts'
import { crowd, percentile, round } from './measures.ts'
import { portOf, runClients } from './runClients.ts'

type Wrap = NonNullable<Parameters<typeof startService>[0]['wrap']>
type Options = { agents: number; waiting: number; streams: number; seconds: number; say(line: string): void }

/** How long the waiting polls of the benchmark listen, in ms: less than a poll waits. */
const listenMs = 20_000
/** Agents of the kit poll this often. */
const everySeconds = 3
/** Most seconds of polls of the bare route, which are the measure for the others. */
const bareSeconds = 12

const rate = z.object({ perSecond: z.number() })
const latencies = z.object({ latencies: z.array(z.number()), worstSecond: z.array(z.number()) })
const heard = z.object({ heard: z.array(z.tuple([z.string(), z.number()])) })

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
  const begin = () => startService({ config: readConfig(env), wrap })
  let service = await begin()
  const bare = serve({
    fetch: new Hono().get('/bare', c => c.json({})).fetch,
    hostname: '127.0.0.1',
    port: 0,
    serverOptions: { keepAliveTimeout: 75_000 },
  })
  try {
    say(`Registering ${agents} agents …`)
    await (await prepare(service, { dir, say })).addAgents(Math.max(agents, waiting))
    await service.stop()
    service = await begin()
    say(`${agents} agents that poll after a start …`)
    const first = await pacePolls({ agents, seconds: 2 * everySeconds, warmUpMs: 0, say, port: portOf(service) }, toPoll)
    const bench = await prepare(service, { dir, say })
    const ratios = await compare(service, bare, say)
    say(`${agents} agents that poll every 3 s, ${seconds} s …`)
    const address = bare.address()
    const barePort = typeof address === 'object' && address ? address.port : 0
    const paced = { agents, seconds, warmUpMs: 2_000 * everySeconds, say }
    const barePolls = await pacePolls({ ...paced, port: barePort, seconds: Math.min(seconds, bareSeconds) }, () => '/bare')
    const polls = await pacePolls({ ...paced, port: portOf(service) }, toPoll)
    say(`${waiting} polls that wait, a job for each …`)
    const longPolls = await bench.longPolls(waiting)
    say(`${streams} streams, 2000 events a second, ${seconds} s …`)
    const events = await benchStreams({ service, ...bench, count: streams, seconds, say })
    return {
      empty_poll_ratio: round(ratios.rate),
      empty_poll_cpu_ratio: round(ratios.cpu),
      agents,
      first_poll_p99_ms: first.p99Ms,
      first_poll_worst_second_p99_ms: first.worstP99Ms,
      poll_p99_ms: polls.p99Ms,
      poll_worst_second_p99_ms: polls.worstP99Ms,
      poll_core_share: polls.coreShare,
      poll_bare_p99_ms: barePolls.p99Ms,
      poll_bare_worst_second_p99_ms: barePolls.worstP99Ms,
      poll_bare_core_share: barePolls.coreShare,
      longpoll_p99_ms: round(percentile(longPolls, 0.99)),
      ...events,
    }
  } finally {
    bare.close()
    await service.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

const registry = '0x8004a818bfb912233c491871b3d84c89a494bd9e'
const idOf = (at: number) => `97:${registry}:${1_000_000 + at}`
const toPoll = (at: number) => `/gateway/jobs/poll?agent=${idOf(at)}`
const toPolls = (count: number) => Array.from({ length: count }, (_, at) => toPoll(at))

type Paced = { port: number; agents: number; seconds: number; warmUpMs: number; say(line: string): void }

/** One request every 3 s on a connection per agent. `coreShare` is the processor time of this process, as a share of one core. */
const pacePolls = async ({ port, agents, seconds, warmUpMs, say }: Paced, pathOf: (at: number) => string) => {
  const [before, begun] = [process.cpuUsage(), performance.now()]
  const work = {
    kind: 'paced',
    port,
    paths: Array.from({ length: agents }, (_, at) => pathOf(at)),
    everyMs: 1_000 * everySeconds,
    warmUpMs,
    ms: seconds * 1_000,
  }
  const polls = await runClients(work, latencies)
  const { user, system } = process.cpuUsage(before)
  const coreShare = round((user + system) / 1_000 / (performance.now() - begun))
  const [p99Ms, worstP99Ms] = [round(percentile(polls.latencies, 0.99)), round(percentile(polls.worstSecond, 0.99))]
  say(
    `  ${polls.latencies.length} polls of ${pathOf(0)}: p99 ${p99Ms} ms, in the worst second ${worstP99Ms} ms, ${coreShare} of a core`,
  )
  return { p99Ms, worstP99Ms, coreShare }
}

/** Measures both alternately, so that other load on the machine affects both: answers a second, and processor time of an answer. */
const compare = async (service: Service, bare: ReturnType<typeof serve>, say: (line: string) => void) => {
  const address = bare.address()
  const barePort = typeof address === 'object' && address ? address.port : 0
  const shared = { kind: 'flood', sockets: 64, ms: 2_000 }
  const flood = async (port: number, paths: string[]) => {
    const before = process.threadCpuUsage()
    const { perSecond } = await runClients({ ...shared, port, paths }, rate)
    const { user, system } = process.threadCpuUsage(before)
    return { perSecond, cpuUs: (1_000 * (user + system)) / (perSecond * shared.ms) }
  }
  type Flooded = Awaited<ReturnType<typeof flood>>
  const [ours, plain]: [Flooded[], Flooded[]] = [[], []]
  for (let round = 0; round < 3; round += 1) {
    plain.push(await flood(barePort, ['/bare']))
    ours.push(await flood(portOf(service), toPolls(1_000)))
  }
  const best = (of: Flooded[]) => ({
    perSecond: Math.max(...of.map(it => it.perSecond)),
    cpuUs: Math.min(...of.map(it => it.cpuUs)),
  })
  const [mine, bares] = [best(ours), best(plain)]
  say(`empty polls ${round(mine.perSecond)}/s of ${round(mine.cpuUs)} µs`)
  say(`a bare route ${round(bares.perSecond)}/s of ${round(bares.cpuUs)} µs`)
  return { rate: mine.perSecond / bares.perSecond, cpu: bares.cpuUs / mine.cpuUs }
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
    user,
    wallet,
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
      const { heard: answers } = await runClients(work, heard, async () => {
        written = write()
        await written
      })
      await written
      say(`  ${at.size} jobs written`)
      return answers.flatMap(([id, now]) => now - (at.get(id) ?? Number.NaN)).filter(it => !Number.isNaN(it))
    },
  }
}
