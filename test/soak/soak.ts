import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { always, audit, auditAtRest } from '../faults/audit/audit.ts'
import { openLedgers } from '../faults/audit/ledgers.ts'
import { percentile, round } from '../load/measures.ts'
import { chainId } from './bsc.ts'
import { openPublicMarket, type PublicMarket } from './market.ts'
import { type Walked, walk, walkKinds, withdrawAll } from './walks.ts'
import { startWeather } from './weather.ts'

export type SoakOptions = {
  minutes: number
  users: number
  blockSeconds: number
  /** Blocks on top of a block before it is believed; undefined leaves the default of BSC. */
  confirmations?: number | undefined
  /** Whether the node fails, reorganises and raises its gas price. */
  faults: boolean
  seed: number
  say(line: string): void
}

/** Default of BSC in the settings of the service. */
const bscConfirmations = 12
const idleMs = 10_000
/** The service looks less often at a chain this long after its last transaction, in ms. */
const restsAfterMs = 12_000
/** Hires of a user that are under way at once. */
const hiresAtOnce = 2

/**
 * Hires on a node that behaves like one of BSC for some minutes: settled, refunded and cancelled ones in turn. Then it lets
 * everything end, compares the books with the chain, and takes out what an agent and a user hold.
 */
export const soak = async (options: SoakOptions) => {
  const { say, users, blockSeconds, confirmations, minutes } = options
  say('Deploying the contracts and starting the service …')
  const market = await openPublicMarket({ blockSeconds, confirmations, users })
  try {
    await delay(restsAfterMs)
    const idlePerSecond = await rpcRate(market, () => delay(idleMs))
    const rssBegin = await market.service.rssMb()
    const asked = callsOf(market)
    say(`${users} users hire for ${minutes} minutes …`)
    const weather = options.faults
      ? startWeather(market.bsc, { seed: options.seed, deepest: confirmations ?? bscConfirmations, blockSeconds })
      : undefined
    const begun = performance.now()
    const walked = await hireFor(market, options)
    const seconds = (performance.now() - begun) / 1_000
    await weather?.stop()
    const calls = callsOf(market) - asked
    const { violations, usdcLost, usdcCreated } = await compareBooks(market)
    for (const it of violations) say(`VIOLATION ${it}`)
    say('Taking out what an agent and a user hold …')
    const agentTook = await withdrawAll(market, market.owner, market.poet)
    const userTook = await withdrawAll(market, market.users[0] ?? market.owner)
    return {
      minutes: round(seconds / 60),
      ...{ block_seconds: blockSeconds, confirmations: confirmations ?? bscConfirmations },
      hires: Object.fromEntries(walkKinds.map(kind => [kind, walked.filter(it => it.kind === kind).length])),
      seconds_p50: secondsOf(walked, 0.5),
      seconds_p99: secondsOf(walked, 0.99),
      ...{ rss_begin_mb: rssBegin, rss_end_mb: await market.service.rssMb(), rss_peak_mb: await market.service.peakRssMb() },
      ...{ rpc_idle_per_s: round(idlePerSecond), rpc_per_hire: Math.round(calls / Math.max(walked.length, 1)) },
      rpc_per_hire_above_idle: Math.round((calls - idlePerSecond * seconds) / Math.max(walked.length, 1)),
      faults: weather?.struck() ?? {},
      withdrawn: { agent: agentTook, user: userTook },
      ...{ usdc_lost: Number(usdcLost), usdc_created: Number(usdcCreated), violations },
    }
  } finally {
    await market.close()
  }
}

const callsOf = ({ bsc }: PublicMarket): number => [...bsc.proxy.asked().values()].reduce((sum, it) => sum + it, 0)

/** RPC requests of the service in a second, while it waits for something else. */
const rpcRate = async (market: PublicMarket, work: () => Promise<unknown>): Promise<number> => {
  const [before, begun] = [callsOf(market), performance.now()]
  await work()
  return (1_000 * (callsOf(market) - before)) / (performance.now() - begun)
}

const secondsOf = (walked: Walked[], share: number) =>
  Object.fromEntries(
    walkKinds.flatMap(kind => {
      const times = walked.filter(it => it.kind === kind).map(it => it.ms / 1_000)
      return times.length > 0 ? [[kind, round(percentile(times, share))]] : []
    }),
  )

/** Each user has some hires under way at a time, and begins no new one after the time is over. At least one of each kind. */
const hireFor = async (market: PublicMarket, { minutes, say }: SoakOptions): Promise<Walked[]> => {
  const until = performance.now() + minutes * 60_000
  const walked: Walked[] = []
  let turn = 0
  const one = async (user: PublicMarket['users'][number]) => {
    while (performance.now() < until || turn < walkKinds.length) {
      const kind = walkKinds[turn++ % walkKinds.length] ?? 'settle'
      const done = await walk(market, user, kind)
      walked.push(done)
      say(`${String(Math.round(done.ms / 1_000)).padStart(5)} s  ${done.kind} ${done.state}`)
    }
  }
  await Promise.all(market.users.flatMap(user => Array.from({ length: hiresAtOnce }, () => one(user))))
  return walked
}

const compareBooks = async ({ dir, bsc, settings }: PublicMarket) => {
  const ledgers = openLedgers(join(dir, 'market.db'), chainId)
  const { ESCROW_56: escrow = '', REPUTATION_56: reputation = '' } = settings
  const place = { rpcUrl: bsc.nodeUrl, escrow, usdc: bsc.usdc, reputation, toldOnce: always }
  try {
    return await auditAtRest(ledgers, () => audit({ ledgers, ...place }))
  } finally {
    ledgers.close()
  }
}
