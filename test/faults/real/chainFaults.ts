import { setTimeout as pause } from 'node:timers/promises'
import { address } from '../../../src/domain/hex.ts'
import { task } from '../provider.ts'
import { textOf } from '../sim/books.ts'
import { createRandom, type Random } from '../sim/random.ts'
import { type ChainMarket, openChainMarket } from './chainMarket.ts'
import { storms } from './chainWeather.ts'
import { lies } from './lies.ts'
import { addAudit, addChainFault, addCheat, chainFaultsOf, noteEnd, type RealTally } from './tally.ts'
import { noteFailure, untilAborted } from './untilAborted.ts'

type Fault = { kind: number; name: string; begin(market: ChainMarket): Promise<void> }

const payersOf = ({ ledgers }: ChainMarket) =>
  ledgers
    .all(`select address from wallet where role in ('user', 'agent', 'evaluator')`)
    .map(it => address.parse(textOf(it.address)))

const faults: readonly Fault[] = [
  ...storms.map(({ break: strike, ...it }) => ({
    ...it,
    begin: (market: ChainMarket) => strike({ ...market, payers: () => payersOf(market) }),
  })),
  ...lies.map(({ meddling, ...it }) => ({ ...it, begin: (market: ChainMarket) => market.proxy.add(meddling()) })),
]

const faultsAtOnce = 4
const cheatsAtOnce = 2
/** Approximate duration of a hire on such a chain in ms. Faults occur at a random time within it. */
const hireMs = 2_500
/** Blocks within which a reorganisation is detected and a block behind a broken connection arrives. */
const noticed = 8

/**
 * Runs concurrent hires of several users under a few faults, then an idle phase and an audit, until enough faults have
 * occurred.
 */
export const runChainFaults = async (
  of: { count: number; seed: number },
  tally: RealTally,
  signal: AbortSignal,
): Promise<void> => {
  if (of.count === 0) return
  const random = createRandom(`chain/${of.seed}`)
  const market = await openChainMarket().catch((error: unknown) => noteFailure(tally, error, 'no market'))
  if (!market) return
  const work = async () => {
    let deck: Fault[] = []
    while (chainFaultsOf(tally) < of.count && tally.violations.length === 0) {
      if (deck.length < faultsAtOnce) deck = [...deck, ...random.shuffled(faults)]
      await runBatch({ market, random, tally }, deck.splice(0, faultsAtOnce))
    }
    noteEnd(tally, await market.stop())
  }
  await untilAborted(work, { tally, signal }).finally(market.close)
}

type Batch = { market: ChainMarket; random: Random; tally: RealTally }

const runBatch = async ({ market, random, tally }: Batch, dealt: Fault[]) => {
  const shown = await Promise.all(market.users.map(it => it.say(task)))
  const agreed = Promise.all(market.users.map(async (it, at) => shown[at] && it.agree(shown[at])))
  const cheated = Array.from({ length: cheatsAtOnce }, () => market.payer.call(random).then(how => addCheat(tally, how)))
  const struck = dealt.map(async fault => {
    await pause(random.int(hireMs))
    await fault.begin(market)
    addChainFault(tally, fault)
  })
  await Promise.all([agreed, ...struck.map(it => Promise.race([it, pause(2 * hireMs)]))])
  tally.hires += shown.length
  market.proxy.clear()
  await Promise.all(cheated)
  await market.miner.blocks(noticed)
  const startedAt = performance.now()
  const after = dealt.map(it => it.name).join(' + ')
  addAudit(tally, await market.audit(), after)
  const ms = performance.now() - startedAt
  if (ms > tally.slowestRest.ms) tally.slowestRest = { ms, after }
}
