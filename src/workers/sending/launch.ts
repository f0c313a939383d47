import { limits } from '../../domain/limits.ts'
import { giveUpIntent } from '../../operations/ledger/giveUpIntent.ts'
import type { Flight, Intent, SignedTransaction } from '../../ports.ts'
import { fillGaps } from './mend.ts'
import { askForGas, type Sender, say } from './sender.ts'

/** Heads at which a call must have failed before it is given up: what it needs may be in the next block. */
const refusedHeads = 3
/** Where no blocks come, a look after this time counts as another one. */
const quietMs = 2_000

/** Sends what waits, as far as there is room: tried, paid for, signed, stored, and only then sent. */
export const launch = async (sender: Sender, left: Flight[]): Promise<void> => {
  const { store, chain, address } = sender
  const room = limits.inFlight - left.length
  const waiting = room > 0 ? await store.sendable(chain.chainId, address, room) : []
  const ready = await affordable(sender, await promising(sender, waiting))
  if (ready.length === 0) return
  const first = await firstNonce(sender, left)
  const { signed, failure } = await signAll(sender, ready, first)
  const stored = await storeAll(sender, signed)
  await send(sender, stored)
  if (failure) throw failure
}

/** Those whose call would succeed now. One that keeps failing is given up before it cost gas. */
const promising = async (sender: Sender, waiting: Intent[]): Promise<Intent[]> => {
  const { chain, address } = sender
  if (!chain.preflight) return waiting
  const tried = await Promise.all(
    waiting.map(async intent => ({ intent, reason: await chain.preflight?.(address, intent.call) })),
  )
  for (const { intent, reason } of tried) if (reason !== undefined) await doubt(sender, intent, reason)
  return tried.flatMap(({ intent, reason }) => (reason === undefined ? [intent] : []))
}

const doubt = async (sender: Sender, intent: Intent, reason: string) => {
  const { store, chain, address } = sender
  // What it needs may be on its way from this very wallet.
  if (await store.hasEarlier(chain.chainId, address, intent.seq)) return
  const { number: head } = await chain.head()
  const times = await store.countDoubt(intent.seq, { head, quietMs })
  if (times >= refusedHeads) await giveUpIntent(sender, { intent, reason })
}

/** All that the wallet can pay for together, else the first one alone. */
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

/** The next nonce in line, which is never one that the chain has used. */
const firstNonce = async (sender: Sender, left: Flight[]): Promise<number> => {
  const { store, chain, address } = sender
  const next = await store.nextNonce(chain.chainId, address)
  if (next !== undefined && left.length > 0) return next
  const count = await chain.transactionCount(address)
  if (next === undefined) return count
  if (count > next) await store.raiseNonce(chain.chainId, address, count)
  if (count < next) await fillGaps(sender, left, count)
  return Math.max(count, next)
}

type Signed = { intent: Intent; transaction: SignedTransaction }

/** Signs under consecutive nonces. What cannot be signed is left out and told: it must not hold up the others. */
const signAll = async (sender: Sender, intents: Intent[], first: number): Promise<{ signed: Signed[]; failure?: unknown }> => {
  const { chain, address } = sender
  const results = await Promise.allSettled(
    intents.map(async (intent, place) => ({
      intent,
      transaction: await chain.sign(address, first + place, intent.call, intent.key),
    })),
  )
  const failed = results.find(it => it.status === 'rejected')
  if (!failed) return { signed: results.flatMap(it => (it.status === 'fulfilled' ? [it.value] : [])) }
  const able = intents.filter((_, place) => results[place]?.status === 'fulfilled')
  return { ...(await signAll(sender, able, first)), failure: failed.reason }
}

/** Stores the signed bytes in one write; those behind one that another write was faster than are dropped, unsent. */
const storeAll = ({ store }: Sender, signed: Signed[]): Promise<SignedTransaction[]> =>
  store.atomically(async tables => {
    const stored: SignedTransaction[] = []
    for (const { intent, transaction } of signed) {
      if (!(await tables.recordSigned(intent.seq, transaction))) break
      stored.push(transaction)
    }
    return stored
  })

const send = async (sender: Sender, stored: SignedTransaction[]) => {
  // Stored bytes are sent again by the next step, whatever is said to them now.
  const answers = await Promise.allSettled(stored.map(it => sender.offers.make(it)))
  const failed = answers.find(it => it.status === 'rejected')
  if (failed) throw failed.reason
  const actions = answers.map(it => it.status === 'fulfilled' && it.value)
  if (actions.includes('pause')) return askForGas(sender)
  if (actions.every(it => it === undefined)) await say(sender, '')
}
