import { BroadcastRefused } from '../../domain/broadcast.ts'
import { followTransaction } from '../../operations/ledger/followTransaction.ts'
import type { Flight, Receipt } from '../../ports.ts'
import { askForGas, type Sender } from './sender.ts'

export type Standing = {
  seen: number
  left: Flight[]
  /** Whether something is not as it should be. */
  doubt: boolean
  /** The wallet cannot pay for what it sent. */
  isPaused: boolean
  /** A node takes nothing for the fee that was offered. */
  isCheap: boolean
  /** A refusal that nobody knows how to answer. What is missing before those bytes may be its reason, and is mended first. */
  refusal: BroadcastRefused | undefined
}

/** Asks the chain for everything in flight, under every hash it ever had; what is not mined in time is sent again. */
export const lookUp = async (sender: Sender): Promise<Standing> => {
  const { store, chain, address } = sender
  const flights = await store.inFlight(chain.chainId, address)
  const looked = await Promise.all(flights.map(async flight => ({ flight, mined: await findMined(sender, flight) })))
  await Promise.all(looked.map(({ flight, mined }) => mined && land(sender, flight, mined)))
  const left = looked.flatMap(({ flight, mined }) => (mined ? [] : [flight]))
  return { seen: flights.length - left.length, left, ...(await resend(sender, left)) }
}

/** The receipt of the transaction that was mined, whichever of them it was. */
export const findMined = async ({ chain }: Sender, { transactions }: Flight): Promise<Receipt | undefined> => {
  const receipts = await Promise.all(transactions.map(it => chain.receipt(it.hash)))
  return receipts.find(it => it !== undefined)
}

const land = async (sender: Sender, { intent, transactions }: Flight, mined: Receipt) => {
  await followTransaction(sender, intent, mined)
  for (const it of transactions) sender.offers.forget(it.hash)
}

const resend = async (sender: Sender, left: Flight[]): Promise<Omit<Standing, 'seen' | 'left'>> => {
  const found: Omit<Standing, 'seen' | 'left'> = { doubt: false, isPaused: false, isCheap: false, refusal: undefined }
  for (const { transactions, waitedMs } of left) {
    const last = transactions.at(-1)
    if (!last || !sender.offers.isDue(last.hash, waitedMs)) continue
    // Sent before and still not mined, or not taken now: time to look closer.
    found.doubt = true
    const action = await sender.offers.make(last).catch(asRefusal)
    if (action instanceof BroadcastRefused) found.refusal ??= action
    if (action === 'bump') found.isCheap = true
    if (action !== 'pause') continue
    await askForGas(sender)
    return { ...found, isPaused: true }
  }
  return found
}

/** A node that does not answer at all is not asked about the others. */
const asRefusal = (error: unknown): BroadcastRefused => {
  if (error instanceof BroadcastRefused) return error
  throw error
}
