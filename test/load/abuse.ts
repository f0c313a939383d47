import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey } from 'viem/accounts'
import { z } from 'zod'
import { createAgent } from '../../src/kit/kit.ts'
import { plain, readRun, talk } from '../hire/market.ts'
import { openUser, type User } from '../service.ts'
import { type AttackName, attackNames } from './attacks.ts'
import { crowd, percentile, round } from './measures.ts'
import { startServiceProcess } from './serviceProcess.ts'

/** `nice`: priority of the attacker, who is on another machine in reality: 19 is idle. */
type Options = { attack?: AttackName | undefined; hires: number; nice: number; say(line: string): void }
type Market = Awaited<ReturnType<typeof startServiceProcess>>

const abuser = new URL('abuser.ts', import.meta.url).pathname
/** Wallets with which an attacker signs in: enough to open 500 streams, five each. */
const wallets = 100
/** Maximum duration of a measurement in ms, for attacks under which hires never end. */
const maxMs = 90_000
/** A hire that takes longer is counted as this many ms. */
const maxHireMs = 60_000
const rereadMs = 50
const warmUps = 3

/** Measures the duration of a user's hires during an attack, and without one just before it. */
export const benchAbuse = async ({ attack, hires, nice, say }: Options) => {
  sendFrom(userAddress)
  const market = await startServiceProcess()
  const ends: (() => unknown)[] = [market.stop]
  try {
    const user = await openUser(market.url, join(market.dir, 'bench-user.json'))
    ends.unshift(await startAgents(market))
    const attacks = []
    for (const name of attack ? [attack] : attackNames) {
      attacks.push(await measure({ market, user, name, hires, nice, say }))
      say(`  peak memory of the service so far: ${await market.peakRssMb()} MB`)
    }
    const worst_ratio = Math.max(...attacks.map(it => it.ratio))
    return { attacks, worst_ratio, peak_rss_mb: await market.peakRssMb() }
  } finally {
    for (const end of ends) await end()
  }
}

/** The address of the user and the agents. Without one they would count as this machine, which has no limits. */
const userAddress = '192.0.2.10'

/** Adds the header of the trusted proxy to all requests of this process. */
const sendFrom = (address: string): void => {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-for', address)
    return fetch(input, { ...init, headers })
  }
}

/** Starts an agent that polls and one with its own endpoint, each with a cheap offering. */
export const startAgents = async ({ url, dir }: Pick<Market, 'url' | 'dir'>) => {
  const polling = createAgent({
    handle: 'bench-poet',
    name: 'bench-poet',
    description: 'Writes haiku.',
    skills: [],
    platformUrl: url,
    credential: { privateKey: generatePrivateKey() },
    pollPauseMs: 20,
    log: () => undefined,
    offerings: [plain('0.01')],
    handler: async () => 'An old silent pond',
  })
  const running = await polling.start()
  const server = createServer((request, response) => {
    request.resume()
    response.end(JSON.stringify({ success: true, content: 'An old silent pond' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const owner = await openUser(url, join(dir, 'bench-owner.json'))
  const { price: _price, ...unpriced } = plain('0')
  const job_offerings = [{ ...unpriced, price_v2: { type: 'fixed', amount: 0.01 }, sla_minutes: 5 }]
  const endpoint_url = `http://127.0.0.1:${port}`
  await owner.client.post('/agents/register', {
    handle: 'bench-pushed',
    name: 'bench-pushed',
    chain_id: 97,
    endpoint_url,
    job_offerings,
  })
  return async () => {
    await running.stop()
    server.close()
  }
}

type Measured = { market: Market; user: User; name: AttackName } & Pick<Options, 'hires' | 'nice' | 'say'>

const measure = async ({ market, user, name, hires, nice, say }: Measured) => {
  const agent = name === 'push' ? 'bench-pushed' : 'bench-poet'
  await hireMany(user, { agent, count: warmUps })
  const quiet = await hireMany(user, { agent, count: hires })
  say(`${name}: ${round(percentile(quiet, 0.5))} ms in quiet; the attack is prepared …`)
  const tokens: string[] = []
  const signIns = name === 'streams' ? wallets : ['cards', 'push', 'schema'].includes(name) ? 10 : 1
  await crowd({ count: signIns, atOnce: 4 }, async at => {
    tokens.push((await openUser(market.url, join(market.dir, `abuser-${name}-${at}.json`))).token)
  })
  const abuse = await startAbuser({ name, url: market.url, tokens, nice })
  const attacked = await hireMany(user, { agent, count: hires, isEnough: abuse.isFullSize }).catch(async error => {
    await abuse.stop()
    throw error
  })
  const figures = await abuse.stop()
  const [quiet_ms, attacked_ms] = [percentile(quiet, 0.5), percentile(attacked, 0.5)].map(round)
  const ratio = round((attacked_ms ?? Number.NaN) / (quiet_ms ?? Number.NaN))
  say(`  ${attacked_ms} ms (${attacked.length} hires) under ${figures.sent} requests, ${figures.unanswered} of them unanswered`)
  return { name, ...figures, full_size: abuse.isFullSize(), quiet_ms, attacked_ms, ratio }
}

type Hires = { agent: string; count: number; isEnough?: () => boolean }

/**
 * Durations in ms of consecutive whole hires: message, proposal, yes, poll, deliverable, settlement. Ends when there are `count` of
 * them and `isEnough`, and after `maxMs` at the latest.
 */
export const hireMany = async (user: User, { agent, count, isEnough = () => true }: Hires): Promise<number[]> => {
  const times: number[] = []
  const started = performance.now()
  while ((times.length < count || !isEnough()) && performance.now() - started < maxMs) {
    const begun = performance.now()
    const settled = hire(user, agent)
    await Promise.race([settled, delay(maxHireMs)])
    settled.catch(() => undefined)
    times.push(performance.now() - begun)
  }
  return times
}

const hire = async (user: User, agent: string): Promise<void> => {
  const { say } = talk(user)
  await retry(() => say(`Hire agent ${agent} to write a haiku`))
  let { data: run } = await retry(() => say('yes'))
  while (run.state === 'working' || run.state === 'awaiting-job') {
    await delay(rereadMs)
    run = await retry(() => readRun(user, run.run_id))
  }
  if (run.job?.state !== 'settled') throw new Error(`A hire of the bench ended ${run.state}: ${run.content}`)
}

/** Repeats a refused request, as users do. The time counts. */
const retry = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === 20) throw error
      await delay(rereadMs)
    }
  }
}

const figures = z.object({
  sent: z.number(),
  per_s: z.number(),
  refused: z.number(),
  errors_5xx: z.number(),
  unanswered: z.number(),
})

const startAbuser = async (given: { name: AttackName; url: string; tokens: string[]; nice: number }) => {
  const child = spawn(process.execPath, [abuser], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(JSON.stringify(given))
  child.stderr.pipe(process.stderr)
  const result = json(child.stdout)
  let isFullSize = false
  child.stderr.on('data', (chunk: Buffer) => {
    isFullSize ||= chunk.toString().includes('full size')
  })
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => chunk.toString().includes('attacking') && resolve())
    child.once('exit', () => reject(new Error(`The attack ${given.name} ended before it began.`)))
  })
  return {
    isFullSize: () => isFullSize,
    stop: async () => {
      child.kill('SIGTERM')
      return figures.parse(await result)
    },
  }
}
