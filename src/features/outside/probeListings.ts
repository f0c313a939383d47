import { dayMs, minuteMs, secondMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import { chooseOffer, schemeIn } from '../../domain/x402/purchase.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Chain, ResourceAnswer } from '../../ports.ts'
import { createCrew } from '../../workers/crew.ts'
import type { Worker } from '../../workers/loop.ts'
import { tillOf } from '../x402Buying/quotePurchase.ts'
import { toProbe } from './listing.ts'
import { createPace, createSilence } from './pace.ts'
import { type OutsideListing, outsideTables } from './ports.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'clock' | 'resources' | 'wakeups'>

/** Pause between two checks of a listing in ms. It doubles with each failure, up to a day. */
const [pauseMs, longestPauseMs] = [10 * minuteMs, dayMs]
/** Pause before a check that the own network prevented, in ms. */
const outageMs = 30 * secondMs
/** Due listings that are read at once, from which the next ones are chosen. */
const pageRows = 500

/**
 * Checks listed resources by requests without a payment: each must ask for the price, the payee, the token and the scheme that are
 * listed. A check sends the listing's own example or nothing.
 */
export const probeListings = (deps: Reach, { perMinute }: { perMinute: number }): Worker => {
  const tables = outsideTables(deps.store)
  const pace = createPace({ now: deps.clock.now, perMinute, ofHost: limits.probesOfHostAMinute })
  const crew = createCrew<string>(() => deps.wakeups.notify('probes'))
  const silence = createSilence(deps.clock.now)
  const startIfFree = (it: OutsideListing) => {
    const busy = crew.busy()
    if (busy.length < limits.probesAtOnce && !busy.includes(it.key) && pace.take(it.host))
      crew.start(it.key, ending => probe({ ...deps, silence }, it, ending))
  }
  return {
    name: 'probeListings',
    channel: 'probes',
    idleMs: secondMs,
    async runOnce() {
      if (crew.busy().length >= limits.probesAtOnce) return false
      for (const it of await tables.dueProbes({ ofHost: limits.probesOfHostAMinute, limit: pageRows })) startIfFree(it)
      crew.check()
      return false
    },
    settle: crew.settle,
  }
}

type Probing = Reach & { silence: ReturnType<typeof createSilence> }

const probe = async (deps: Probing, it: OutsideListing, ending: AbortSignal): Promise<void> => {
  const tables = outsideTables(deps.store)
  const { found, heard } = await ask(deps, it, ending)
  // A check that the end of the process broke off says nothing of the seller.
  if (ending.aborted) return
  if (heard === false && deps.silence.note(it)) return tables.checkAgain([it.key], outageMs)
  const missed = heard ? deps.silence.end() : []
  if (missed.length > 0) await tables.checkAgain(missed, 0)
  const failures = /^0*/.exec(it.recent)?.[0].length ?? 0
  const verdict = typeof found === 'string' ? found : ''
  const next = verdict === '' ? pauseMs : Math.min(pauseMs * 2 ** failures, longestPauseMs)
  const asked = typeof found === 'string' ? undefined : found
  await tables.keepProbe(it.key, { verdict: verdict.slice(0, 300), asked, pauseMs: next })
}

/** `found`: the price that a resource asks, or why it is not shown. `heard`: whether its host answered, if that is known. */
type Asked = { found: bigint | string; heard?: boolean }

const ask = async ({ chains, resources }: Reach, it: OutsideListing, ending: AbortSignal): Promise<Asked> => {
  const chain = chains.get(it.chainId)
  if (!chain) return { found: `chain ${it.chainId}` }
  const till = await tillOf(chain)
  const signal = AbortSignal.any([ending, AbortSignal.timeout(limits.probeMs)])
  // A seller that does not answer fails its check.
  const answer = await resources.ask(toProbe(it), signal).catch(asProblem)
  if (!(answer instanceof Problem)) return { found: judge(it, answer, { chain, till }), heard: true }
  // An address that is not allowed says nothing of the network.
  return { found: answer.detail, ...(answer.type === 'agent-unreachable' && { heard: false }) }
}

type Spoken = { chain: Chain; till: Awaited<ReturnType<typeof tillOf>> }

const judge = (it: OutsideListing, answer: ResourceAnswer, { chain, till }: Spoken): bigint | string => {
  if (answer.status !== 402) return `It answered with status ${answer.status} and asked for no payment.`
  if (!till) return `chain ${it.chainId}`
  const offer = chooseOffer({ header: answer.paymentRequired, challenge: answer.challenge, body: answer.body }, till)
  if (typeof offer === 'string') return offer
  if (schemeIn(offer) !== it.scheme) return `It asks for the scheme ${schemeIn(offer)}, and is listed with ${it.scheme}.`
  if (offer.payTo !== it.payTo) return 'Its payee is not the one that is listed.'
  const say = (amount: bigint) => formatUsdc(amount, chain.usdcDecimals)
  if (offer.amount > it.amount) return `It asks ${say(offer.amount)} USDC, and is listed with ${say(it.amount)}.`
  return offer.amount
}
