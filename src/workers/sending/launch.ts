import { limits } from '../../domain/limits.ts'
import { giveUpIntent } from '../../operations/ledger/followTransaction.ts'
import type { Flight, Intent, Sendable, SignedTransaction, Store } from '../../ports.ts'
import { fillGaps } from './mend.ts'
import { askForGas, type Sender, say } from './sender.ts'

/** Number of heads at which a call must fail before it is abandoned, because the next block may contain what it needs. */
const refusedHeads = 3
/** On a chain without new blocks, a failure after this time in ms counts as one at another head. */
const staleHeadMs = 2_000

/**
 * Sends waiting intents within the limit of transactions in flight: simulate, check the balance, sign, store, then broadcast.
 * @param ahead read together with the transactions in flight
 */
export const launch = async (sender: Sender, left: Flight[], ahead?: Sendable): Promise<void> => {
  const { store, chain, address } = sender
  const room = limits.inFlight - left.length
  if (room <= 0) return
  const { waiting: found, next } = ahead ?? (await store.sendable(chain.chainId, address, room))
  const waiting = found.slice(0, room)
  // Asked at the same time as the simulation, because a node on this machine answers both with one exchange.
  const counted = waiting.length > 0 && left.length === 0 ? chain.transactionCount(address) : undefined
  const [ready, count] = await Promise.all([promising(sender, waiting).then(it => affordable(sender, it)), counted])
  if (ready.length === 0) return
  const first = await firstNonce(sender, { left, counted: count, next })
  const { signed, failure } = await signAll(sender, ready, first)
  const stored = await storeAll(sender, signed)
  await send(sender, stored)
  if (failure) throw failure
}

/**
 * The intents whose call would succeed now. One that keeps failing is abandoned before it costs gas. A hire that would fail holds
 * back what its wallet sends later: another approval would replace the one that this hire waits for.
 */
const promising = async (sender: Sender, waiting: Intent[]): Promise<Intent[]> => {
  const { chain, address } = sender
  if (!chain.preflight) return waiting
  const tried = await Promise.all(
    waiting.map(async intent => ({ intent, reason: await chain.preflight?.(address, intent.call) })),
  )
  for (const { intent, reason } of tried) if (reason !== undefined) await countPreflightFailure(sender, intent, reason)
  const stuck = tried.findIndex(({ intent, reason }) => reason !== undefined && isHire(intent))
  return tried.slice(0, stuck < 0 ? tried.length : stuck).flatMap(({ intent, reason }) => (reason === undefined ? [intent] : []))
}

const isHire = ({ key }: Intent) => /^job:[^:]+:hire$/.test(key)

const countPreflightFailure = async (sender: Sender, intent: Intent, reason: string) => {
  const { store, chain, address } = sender
  // An earlier transaction of this wallet may provide what the call needs.
  if (await store.hasEarlier(chain.chainId, address, intent.seq)) return
  const { number: head } = await chain.head()
  const times = await store.countFailure(intent.seq, { head, staleHeadMs })
  if (times >= refusedHeads) await giveUpIntent(sender, { intent, reason })
}

/** All intents if the wallet can pay for them together, otherwise the first one. */
const affordable = async (sender: Sender, intents: Intent[]): Promise<Intent[]> => {
  const { chain, address } = sender
  const [first] = intents
  if (!first) return []
  const cost = intents.reduce((sum, { call }) => ({ value: sum.value + call.value, gas: sum.gas + call.gas }), {
    value: 0n,
    gas: 0n,
  })
  if (await chain.hasGas(address, { ...first.call, ...cost })) return intents
  if (intents.length > 1 && (await chain.hasGas(address, first.call))) return [first]
  await askForGas(sender)
  return []
}

type Counts = { left: Flight[]; counted: number | undefined; next: number | undefined }

/** The next nonce of the wallet, never below the chain's count. */
const firstNonce = async (sender: Sender, { left, counted, next }: Counts): Promise<number> => {
  const { store, chain, address } = sender
  if (next !== undefined && left.length > 0) return next
  const count = counted ?? (await chain.transactionCount(address))
  if (next === undefined) return count
  if (count > next) await store.raiseNonce(chain.chainId, address, count)
  if (count < next) await fillGaps(sender, left, count)
  return Math.max(count, next)
}

type Signed = { intent: Intent; transaction: SignedTransaction }

/**
 * Signs with consecutive nonces. An intent that cannot be signed is skipped and reported, so that it does not block the others.
 */
const signAll = async (sender: Sender, intents: Intent[], first: number): Promise<{ signed: Signed[]; failure?: unknown }> => {
  const { chain, address } = sender
  const results = await Promise.allSettled(
    intents.map(async (intent, place) => ({
      intent,
      transaction: await chain.sign({ sender: address, nonce: first + place, call: intent.call, purpose: intent.key }),
    })),
  )
  const failed = results.find(it => it.status === 'rejected')
  if (!failed) return { signed: results.flatMap(it => (it.status === 'fulfilled' ? [it.value] : [])) }
  const able = intents.filter((_, place) => results[place]?.status === 'fulfilled')
  return { ...(await signAll(sender, able, first)), failure: failed.reason }
}

/**
 * Stores the signed transactions in one write. After the first conflict with another writer the rest is dropped, unsent: none of
 * them has the next nonce.
 */
const storeAll = async ({ store }: Sender, signed: Signed[]): Promise<SignedTransaction[]> => {
  const storeIn = ({ recordSigned }: Pick<Store, 'recordSigned'>) =>
    Promise.all(signed.map(({ intent, transaction }) => recordSigned(intent.seq, transaction)))
  const isStored = await (signed.length === 1 ? storeIn(store) : store.atomically(storeIn))
  return signed.flatMap(({ transaction }, place) => (isStored[place] ? [transaction] : []))
}

const send = async (sender: Sender, stored: SignedTransaction[]) => {
  // Stored transactions are broadcast again by the next step, whatever the node answers now.
  const answers = await Promise.allSettled(stored.map(it => sender.offers.make(it)))
  const failed = answers.find(it => it.status === 'rejected')
  if (failed) throw failed.reason
  const actions = answers.map(it => it.status === 'fulfilled' && it.value)
  if (actions.includes('pause')) return askForGas(sender)
  if (actions.every(it => it === undefined)) await say(sender, '')
}
