import { limits } from '../../domain/limits.ts'
import type { Flight, Intent } from '../../ports.ts'
import { findMined, type Standing } from './lookUp.ts'
import { type Sender, say } from './sender.ts'

/** Heads at which a nonce must be seen used by others before its intent gets another one: what reopens wrongly pays twice. */
const foreignHeads = 3
/** Where no blocks come, a look after this time counts as another one. */
const quietMs = 2_000
/** Replacements of one transaction; five eighths make it dearer by four fifths. */
const mostBumps = 5
const emptyGas = 21_000n

/**
 * Looks closer at a wallet whose transactions are not mined: nonces that others used, a fee that is too low, nonces that are
 * missing below ours.
 */
export const mend = async (
  sender: Sender,
  { left, isCheap, isPaused }: Pick<Standing, 'left' | 'isCheap' | 'isPaused'>,
): Promise<void> => {
  const count = await sender.chain.transactionCount(sender.address)
  await healForeign(sender, left)
  // The front one first: a node may refuse what lies behind it for its sake.
  const front = left.find(it => it.intent.nonce === count)
  // What its wallet cannot pay for is not made dearer.
  if (front && !isPaused) await bump(sender, front, isCheap)
  await fillGaps(sender, left, count)
}

/** A nonce that lies deep enough and belongs to none of our hashes was used by somebody else with this wallet's key. */
const healForeign = async (sender: Sender, left: Flight[]) => {
  const { store, chain, address } = sender
  if (!chain.confirmedCount || left.length === 0) return
  const settled = await chain.confirmedCount(address)
  const overtaken = left.filter(it => (it.intent.nonce ?? settled) < settled)
  for (const flight of overtaken) {
    const { seq, nonce } = flight.intent
    // Again, after the count: it may have been mined between the two looks.
    if (nonce === undefined || (await findMined(sender, flight))) continue
    const { number: head } = await chain.head()
    if ((await store.countDoubt(seq, { head, quietMs })) < foreignHeads) continue
    await store.raiseNonce(chain.chainId, address, settled)
    await store.reopenIntent(seq, nonce)
  }
}

/** Every nonce from the chain's count to ours must be on its way: the pool keeps everything above a missing one back. */
export const fillGaps = async (sender: Sender, left: Flight[], count: number): Promise<void> => {
  const { store, chain, address } = sender
  const next = Math.min((await store.nextNonce(chain.chainId, address)) ?? count, count + limits.inFlight)
  const flying = new Set(left.map(it => it.intent.nonce))
  for (let nonce = count; nonce < next; nonce += 1) if (!flying.has(nonce)) await fill(sender, nonce)
}

const fill = async (sender: Sender, nonce: number) => {
  const { store, chain, address, offers } = sender
  // Mined once and no longer: a reorganisation took it away, and the same bytes bring it back.
  const ours = await store.transactionAt(chain.chainId, address, nonce)
  // What has to wait for another wallet's bytes, or for the funding of its job, holds up those behind it for so long.
  if (ours) return ours.mayGo ? void (await offers.make(ours)) : undefined
  const sign = async (intent: Intent) => ({ intent, signed: await chain.sign(address, nonce, intent.call, intent.key) })
  const [waiting] = await store.sendable(chain.chainId, address, 1)
  // What may not be signed now holds up itself alone; the next launch says why.
  const useful = waiting && (await sign(waiting).catch(() => undefined))
  const empty = useful ? undefined : await emptyIntent(sender, nonce)
  const filling = useful ?? (empty && (await sign(empty)))
  if (filling && (await store.recordFilling(filling.intent.seq, filling.signed))) await offers.make(filling.signed)
}

/** Nothing sent to oneself: it does no more than use the nonce. */
const emptyIntent = async ({ store, chain, address }: Sender, nonce: number): Promise<Intent | undefined> => {
  const key = `fill:${chain.chainId}:${address}:${nonce}`
  const call = { to: address, data: '0x', value: 0n, gas: emptyGas } as const
  await store.addIntents([{ key, chainId: chain.chainId, sender: address, call, after: undefined }])
  const intent = await store.intent(key)
  return intent?.state === 'waiting' ? intent : undefined
}

/** Only the front one: those behind it wait for it, not for their fee. */
const bump = async (sender: Sender, { intent, transactions, waitedMs }: Flight, isCheap: boolean) => {
  const { store, chain, address, offers } = sender
  const last = transactions.at(-1)
  if (!last || !chain.replace || chain.replaceAfterMs === undefined) return
  if (waitedMs < chain.replaceAfterMs && !isCheap) return
  const of = { sender: address, call: intent.call, purpose: intent.key }
  const dearer = transactions.length > mostBumps ? undefined : await chain.replace(last, of)
  if (!dearer) return say(sender, `The transaction ${last.hash} waits for chain ${chain.chainId} to ask for a lower fee.`)
  if (await store.recordReplacement(intent.seq, dearer)) await offers.make(dearer)
}
