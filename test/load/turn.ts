import { createHash } from 'node:crypto'
import type { JsonObject } from '../../src/domain/json.ts'
import { readPeople } from '../conversations/people/data.ts'
import { talk } from '../hire/market.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { percentile, round } from './measures.ts'

type Options = { offerings: number; conversations: number; say: (line: string) => void }

const trades = 'bakers florists sailors teachers nurses joiners farmers pilots brewers dentists tailors miners'.split(' ')
const places = 'Oslo Lagos Quito Osaka Perth Turin'.split(' ')
const agentsOfOne = 6
/** Kinds of conversations whose first message is a request. */
const requests = ['task', 'vague', 'typo', 'budget']
const afterwards = ['how long does it take?', 'no thanks']

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

/** Processor time in ms of a fixed amount of work, which tells one machine from another. */
const calibrate = (): number => {
  const since = process.cpuUsage()
  const text = JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ at, name: `listing ${at}`, price: '0.05' })))
  for (let at = 0; at < 300; at += 1)
    createHash('sha256')
      .update(JSON.stringify(JSON.parse(text)))
      .digest()
  return cpuMs(since)
}

/** The offerings of the people's market once for each trade and place, by agents of several owners. */
const stock = async (market: TestService, count: number): Promise<void> => {
  const { market: lines } = await readPeople()
  const toOffering = ({ offering: { price, ...it } }: (typeof lines)[number], suffix: string): JsonObject => ({
    ...it,
    ...{ name: `${it.name} ${suffix}`, description: `${it.description} Made ${suffix}.` },
    price_v2: { type: 'fixed', amount: price, currency: 'USDC' },
  })
  const suffixes = places.flatMap(place => trades.map(trade => `for ${trade} of ${place}`))
  for (const [at, suffix] of suffixes.entries()) {
    const left = count - at * lines.length
    if (left <= 0) break
    const owner = await market.user(`owner-${Math.floor(at / agentsOfOne)}`)
    const handle = `agent-${at}`
    const job_offerings = lines.slice(0, left).map(it => toOffering(it, suffix))
    await owner.client.post('/agents/register', { handle, name: handle, chain_id: 97, via_gateway: true, job_offerings })
  }
  const { search } = market.service.world.deps
  await until('the market to be indexed', async () => (await search.count()) >= Math.min(count, suffixes.length * lines.length))
}

/** Processor time and latency of turns of the butler without a language model, over HTTP, in one process. */
export const benchTurn = async ({ offerings, conversations, say }: Options) => {
  const env = { LOCAL_AGENTS: '', RATE_LIMIT: '0', LOG_LEVEL: 'error' }
  const market = await startTestService({ env })
  try {
    await stock(market, offerings)
    const count = await market.service.world.deps.search.count()
    say(`${count} offerings are indexed`)
    const { conversations: all } = await readPeople()
    const firsts = all.filter(it => requests.includes(it.kind)).flatMap(it => it.turns[0]?.say ?? [])
    const user = await market.user('buyer')
    const turns: { kind: string; cpu: number; ms: number }[] = []
    const turn = async (kind: string, work: () => Promise<unknown>) => {
      const [since, began] = [process.cpuUsage(), performance.now()]
      await work()
      turns.push({ kind, cpu: cpuMs(since), ms: performance.now() - began })
    }
    const converse = async (at: number) => {
      const conversation = talk(user)
      await turn('request', () => conversation.say(firsts[at % firsts.length] ?? 'weather in Oslo'))
      for (const words of afterwards) await turn('after', () => conversation.say(words))
    }
    for (let at = 0; at < 10; at += 1) await converse(at)
    turns.length = 0
    const calibration = calibrate()
    const since = process.cpuUsage()
    for (let at = 0; at < conversations; at += 1) await converse(at)
    const cpu = cpuMs(since) / turns.length
    const of = (kind: string) => turns.filter(it => it.kind === kind)
    for (const kind of ['request', 'after'])
      say(
        `${kind}: p50 ${round(
          percentile(
            of(kind).map(it => it.cpu),
            0.5,
          ),
        )} ms of processor time, ${round(
          percentile(
            of(kind).map(it => it.ms),
            0.5,
          ),
        )} ms`,
      )
    return {
      ...{ bench: 'turn', offerings: count, turns: turns.length },
      cpu_ms: round(cpu),
      request_cpu_ms: round(of('request').reduce((sum, it) => sum + it.cpu, 0) / of('request').length),
      p99_cpu_ms: round(
        percentile(
          turns.map(it => it.cpu),
          0.99,
        ),
      ),
      p50_ms: round(
        percentile(
          turns.map(it => it.ms),
          0.5,
        ),
      ),
      p99_ms: round(
        percentile(
          turns.map(it => it.ms),
          0.99,
        ),
      ),
      calibration_ms: round(calibration),
      ratio: round(cpu / calibration),
    }
  } finally {
    await market.stop()
  }
}
