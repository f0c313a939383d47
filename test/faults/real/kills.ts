import type { CrashAt, Effect } from '../crash.ts'
import { openMarket } from '../market.ts'
import { task } from '../provider.ts'
import { createRandom, type Random } from '../sim/random.ts'
import { addAudit, noteEnd, type RealTally } from './tally.ts'
import { noteFailure, untilAborted } from './untilAborted.ts'

/** About as many calls of the ports as a hire takes from the task to its end, and as a start takes until it is at rest. */
const callsOfHire = 200
const callsOfRecovery = 100
const sides = ['before', 'after'] as const

const effects: Effect[] = ['proposed', 'funded', 'leased', 'stored', 'signed', 'sent', 'paid']

/** What the lives of a service die of around one hire: a life, and for some of them the next one, while it recovers. */
type Deaths = CrashAt[][]

const anyCall = (random: Random, most: number) => ({ call: 1 + random.int(most), side: random.pick(sides) })

/**
 * As many kills as asked for. Some come right after a named effect; most are spread evenly over the calls of one hire, before
 * and after each; every fourth is a second one, at any call of the recovery. In some lives the process of the chain dies too.
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

/** Kills one service after the other as planned, with a hire under way each time; audits database and chain after each. */
export const runKills = async (deaths: Deaths[], tally: RealTally, signal: AbortSignal): Promise<void> => {
  for (let at = 0; at < deaths.length && !signal.aborted; at += hiresOfMarket)
    if (tally.violations.length === 0) await runMarket(deaths.slice(at, at + hiresOfMarket).flat(), tally, signal)
}

/** Leases that nobody heard of set the clock ahead: a market does not grow older than its tokens and promises. */
const hiresOfMarket = 12
/** Blocks that a hire and its recovery add, and some more. */
const depth = 40n

const runMarket = async (deaths: CrashAt[][], tally: RealTally, signal: AbortSignal) => {
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
    while (killed < deaths.length && tally.violations.length === 0) {
      const { state } = await Promise.race([market.user.say(task).then(market.user.confirm), market.failed])
      tally.hires += 1
      if (state !== 'completed') tally.violations.push(`I3 a hire ended as ${state} (${where()})`)
      addAudit(tally, await market.audit({ depth }), where())
    }
    addAudit(tally, await market.audit(), where())
    noteEnd(tally, await market.stop())
  }
  await untilAborted(work, { tally, signal, where }).finally(async () => {
    tally.chainKills += market.chainKills()
    await market.close()
  })
}
