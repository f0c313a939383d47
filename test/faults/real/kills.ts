import { setTimeout as pause } from 'node:timers/promises'
import type { CrashAt, Effect } from '../crash.ts'
import { usedPath } from '../liar.ts'
import { openMarket } from '../market.ts'
import { task, taskByUse } from '../provider.ts'
import { createRandom, type Random } from '../sim/random.ts'
import { addAudit, addCheat, addPaid, noteEnd, type RealTally } from './tally.ts'
import { noteFailure, untilAborted } from './untilAborted.ts'

/** Approximate number of port calls of one hire from task to end, and of a start until the service is idle. */
const callsOfHire = 200
const callsOfRecovery = 100
const sides = ['before', 'after'] as const

const effects: Effect[] = ['proposed', 'funded', 'leased', 'stored', 'signed', 'sent', 'paid']

/** The crashes of consecutive processes during one hire: of one process, and sometimes of the next one while it recovers. */
type Deaths = CrashAt[][]

const anyCall = (random: Random, most: number) => ({ call: 1 + random.int(most), side: random.pick(sides) })

/**
 * Plans the given number of kills. Some come right after a named effect. Most are spread evenly over the port calls of one
 * hire, before and after each. Every fourth is a second kill, at any call of the recovery. Sometimes the chain's process is
 * killed too.
 */
export const planDeaths = ({ kills, seed }: { kills: number; seed: number }): Deaths[] => {
  const random = createRandom(`kills/${seed}`)
  const seconds = Math.floor(kills / 4)
  const counted = Math.max(kills - seconds - effects.length, 0)
  const step = callsOfHire / Math.max(Math.ceil(counted / sides.length), 1)
  const shift = random.next()
  const inHire = Array.from({ length: counted }, (_, at) => ({
    call: 1 + Math.floor((Math.floor(at / sides.length) + shift) * step),
    side: at % sides.length === 0 ? sides[0] : sides[1],
    since: 'task' as const,
  }))
  const firsts: CrashAt[] = [...effects.map(after => ({ after })), ...inHire].slice(0, kills - seconds)
  return random.shuffled(firsts).map((first, at) => {
    const ofChain = at % 3 === 0 ? [{ ...anyCall(random, callsOfHire), since: 'task', whom: 'chain' } as const] : []
    const second = { ...anyCall(random, callsOfRecovery), since: 'start' } as const
    return [[first, ...ofChain], ...(at < seconds ? [[second]] : [])]
  })
}

/** Kills one service after another as planned, each during a hire, and audits database and chain after each kill. */
export const runKills = async (deaths: Deaths[], tally: RealTally, signal: AbortSignal): Promise<void> => {
  for (let at = 0; at < deaths.length && !signal.aborted; at += hiresOfMarket)
    if (tally.violations.length === 0)
      await runMarket(deaths.slice(at, at + hiresOfMarket).flat(), { tally, signal, random: createRandom(`payments/${at}`) })
}

/** Lost leases move the clock forward. A market must not become older than its tokens and deadlines. */
const hiresOfMarket = 12
/** Approximate duration of a purchase and a trade in ms. */
const paymentMs = 1_500
/** Blocks that a hire and its recovery add, with a margin. */
const depth = 40n

type Market = Awaited<ReturnType<typeof openMarket>>

const cheatsAtOnce = 3

type Payer = Awaited<ReturnType<Market['openPayer']>>
type Seller = Awaited<ReturnType<Market['openSeller']>>
type Paying = { tally: RealTally; token: string; payer: Payer; seller: Seller; random: Random; killAfterMs?: number }

/**
 * Buys a call by x402 and words of a seller that may lie, cheats with other calls and trades tokens at the same time, and kills the
 * service within.
 */
const payAndTrade = async (market: Market, of: Paying) => {
  const { tally, payer, seller, random, killAfterMs } = of
  const killing = killAfterMs === undefined ? undefined : pause(killAfterMs).then(market.kill)
  const cheating = Array.from({ length: cheatsAtOnce }, () => payer.call(random).then(how => addCheat(tally, how)))
  const calls = `${market.url}/x402/agents/drummer/offerings`
  const buying = [
    ...[`${calls}/beats`, `${seller.url}/words`],
    // These two are charged by use.
    ...[`${calls}/strokes`, `${seller.url}${usedPath}`],
  ].map(it => buy(market, it, random))
  await Promise.all([...buying, trade(market, of), ...cheating, killing])
  for (const deed of seller.deeds.splice(0)) addCheat(tally, deed)
}

/** Buys by x402: a call of the agent, which is a paid call of the same service, or words from outside. */
const buy = ({ user }: Market, url: string, random: Random) => user.buy(url, { message: 'tam '.repeat(1 + random.int(7)) })

/** Buys tokens, and sells some of them. */
const trade = async ({ user }: Market, { tally, token }: Pick<Paying, 'tally' | 'token'>) => {
  for (const terms of [{ side: 'buy', amount: '0.25' } as const, { side: 'sell', amount: '1000' } as const])
    if ((await user.trade({ token, ...terms })) === 'done') tally.trades += 1
}

type Running = { tally: RealTally; signal: AbortSignal; random: Random }

const runMarket = async (deaths: CrashAt[][], { tally, signal, random }: Running) => {
  let killed = 0
  const opening = openMarket({
    deaths,
    onKill() {
      tally.kills += 1
      killed += 1
    },
    onRecovery({ servedMs, settledMs }) {
      tally.recoveries += 1
      tally.slowestServedMs = Math.max(tally.slowestServedMs, servedMs)
      if (settledMs > tally.slowestSettledMs) tally.slowestDeath = JSON.stringify(deaths[killed - 1])
      tally.slowestSettledMs = Math.max(tally.slowestSettledMs, settledMs)
    },
  })
  const market = await opening.catch((error: unknown) => noteFailure(tally, error, 'no market'))
  if (!market) return
  const where = () => `kill ${killed}, ${JSON.stringify(deaths[killed - 1] ?? 'none')}`
  const work = async () => {
    const token = await Promise.race([market.user.launch('coiner'), market.failed])
    const payer = await Promise.race([market.openPayer(), market.failed])
    const seller = await market.openSeller(random)
    const { claims } = payer
    while (killed < deaths.length && tally.violations.length === 0) {
      const hires = [task, taskByUse].map(it => market.user.say(it).then(market.user.confirm))
      for (const { state } of await Promise.race([Promise.all(hires), market.failed])) {
        tally.hires += 1
        if (state !== 'completed') tally.violations.push(`I3 a hire ended as ${state} (${where()})`)
      }
      addAudit(tally, await market.audit({ depth, claims }), where())
      if (killed >= deaths.length) continue
      const paying = payAndTrade(market, { tally, token, payer, seller, random, killAfterMs: random.int(paymentMs) })
      await Promise.race([paying, market.failed])
      addAudit(tally, await market.audit({ depth, claims }), `a kill within payments, ${where()}`)
    }
    if (tally.trades === 0) await payAndTrade(market, { tally, token, payer, seller, random })
    await Promise.race([market.bought(seller.url), market.failed])
    addAudit(tally, await market.audit({ claims }), where())
    addPaid(tally, market.paid())
    noteEnd(tally, await market.stop())
  }
  await untilAborted(work, { tally, signal, where }).finally(async () => {
    tally.chainKills += market.chainKills()
    await market.close()
  })
}
