import { limits } from '../../domain/limits.ts'
import type { Flight, Intent } from '../../ports.ts'
import { type FlightStatus, findMined } from './lookUp.ts'
import { type Sender, say } from './sender.ts'

/**
 * Number of heads at which a foreign use of a nonce must be seen before its intent gets a new one. A wrong decision would pay
 * twice.
 */
const foreignHeads = 3
/** On a chain without new blocks, an observation after this time in ms counts as one at another head. */
const staleHeadMs = 2_000
/** Replacements of one transaction. Five raises of an eighth each increase the fee by four fifths. */
const maxBumps = 5
const emptyGas = 21_000n

/**
 * Repairs a wallet whose transactions are not mined. Causes are nonces used by others, too low fees, and missing earlier
 * nonces.
 */
export const mend = async (
  sender: Sender,
  { left, isCheap, isPaused }: Pick<FlightStatus, 'left' | 'isCheap' | 'isPaused'>,
): Promise<void> => {
  const count = await sender.chain.transactionCount(sender.address)
  await healForeign(sender, left)
  // The lowest nonce comes first, because a node may refuse later ones while it is missing.
  const front = left.find(it => it.intent.nonce === count)
  // Fees are not raised when the wallet cannot pay.
  if (front && !isPaused) await bump(sender, front, isCheap)
  await fillGaps(sender, left, count)
}

/** A confirmed nonce with none of our hashes was used by another holder of this wallet's key. */
const healForeign = async (sender: Sender, left: Flight[]) => {
  const { store, chain, address } = sender
  if (!chain.confirmedCount || left.length === 0) return
  const settled = await chain.confirmedCount(address)
  const overtaken = left.filter(it => (it.intent.nonce ?? settled) < settled)
  for (const flight of overtaken) {
    const { seq, nonce } = flight.intent
    // Looked up again after the count, because it may have been mined between the two reads.
    if (nonce === undefined || (await findMined(sender, flight))) continue
    const { number: head } = await chain.head()
    if ((await store.countFailure(seq, { head, staleHeadMs })) < foreignHeads) continue
    await store.raiseNonce(chain.chainId, address, settled)
    await store.reopenIntent(seq, nonce)
  }
}

/** Every nonce from the chain's count to ours must be pending, because the pool holds back everything above a gap. */
export const fillGaps = async (sender: Sender, left: Flight[], count: number): Promise<void> => {
  const { store, chain, address } = sender
  const next = Math.min((await store.nextNonce(chain.chainId, address)) ?? count, count + limits.inFlight)
  const flying = new Set(left.map(it => it.intent.nonce))
  for (let nonce = count; nonce < next; nonce += 1) if (!flying.has(nonce)) await fill(sender, nonce)
}

const fill = async (sender: Sender, nonce: number) => {
  const { store, chain, address, offers } = sender
  // A reorganisation removed the transaction, and broadcasting the same bytes restores it.
  const ours = await store.transactionAt(chain.chainId, address, nonce)
  // A transaction that waits for another wallet's, or for its job's funding, blocks the later ones until then.
  if (ours) return ours.mayGo ? void (await offers.make(ours)) : undefined
  const sign = async (intent: Intent) => ({
    intent,
    signed: await chain.sign({ sender: address, nonce, call: intent.call, purpose: intent.key }),
  })
  const [waiting] = (await store.sendable(chain.chainId, address, 1)).waiting
  // An intent that cannot be signed now blocks only itself. The next launch reports it.
  const useful = waiting && (await sign(waiting).catch(() => undefined))
  const empty = useful ? undefined : await emptyIntent(sender, nonce)
  const filling = useful ?? (empty && (await sign(empty)))
  if (filling && (await store.recordFilling(filling.intent.seq, filling.signed))) await offers.make(filling.signed)
}

/** An empty transaction to the wallet itself, which only uses the nonce. */
const emptyIntent = async ({ store, chain, address }: Sender, nonce: number): Promise<Intent | undefined> => {
  const key = `fill:${chain.chainId}:${address}:${nonce}`
  const call = { to: address, data: '0x', value: 0n, gas: emptyGas } as const
  await store.addIntents([{ key, chainId: chain.chainId, sender: address, call, after: undefined }])
  const intent = await store.intent(key)
  return intent?.state === 'waiting' ? intent : undefined
}

/** Only the lowest nonce is replaced. The others wait for it, not for their fee. */
const bump = async (sender: Sender, { intent, transactions, waitedMs }: Flight, isCheap: boolean) => {
  const { store, chain, address, offers } = sender
  const last = transactions.at(-1)
  if (!last || !chain.replace || chain.replaceAfterMs === undefined) return
  if (waitedMs < chain.replaceAfterMs && !isCheap) return
  const of = { sender: address, call: intent.call, purpose: intent.key }
  const dearer = transactions.length > maxBumps ? undefined : await chain.replace(last, of)
  if (!dearer) return say(sender, `The transaction ${last.hash} waits for chain ${chain.chainId} to ask for a lower fee.`)
  if (await store.recordReplacement(intent.seq, dearer)) await offers.make(dearer)
}
