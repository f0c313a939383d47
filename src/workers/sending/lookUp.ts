import { BroadcastRefused } from '../../domain/chains/broadcast.ts'
import { followTransaction } from '../../operations/ledger/followTransaction.ts'
import type { Flight, Receipt } from '../../ports.ts'
import { askForGas, type Sender } from './sender.ts'

export type FlightStatus = {
  seen: number
  left: Flight[]
  /** Whether a transaction was not mined or not accepted as expected. */
  needsRepair: boolean
  /** Whether the wallet lacks the coin for its transactions. */
  isPaused: boolean
  /** Whether a node refused the offered fee as too low. */
  isCheap: boolean
  /** A refusal without a known remedy. A missing earlier transaction may be its cause, and is sent first. */
  refusal: BroadcastRefused | undefined
}

/** The status of a wallet that has no transaction in flight. */
export const grounded: FlightStatus = {
  seen: 0,
  left: [],
  needsRepair: false,
  isPaused: false,
  isCheap: false,
  refusal: undefined,
}

/** Looks up every transaction in flight under all its hashes. Those not mined in time are broadcast again. */
export const lookUp = async (sender: Sender, flights: Flight[]): Promise<FlightStatus> => {
  const looked = await Promise.all(flights.map(async flight => ({ flight, mined: await findMined(sender, flight) })))
  await Promise.all(looked.map(({ flight, mined }) => mined && land(sender, flight, mined)))
  const left = looked.flatMap(({ flight, mined }) => (mined ? [] : [flight]))
  return { seen: flights.length - left.length, left, ...(await resend(sender, left)) }
}

/** The receipt of whichever replacement was mined. */
export const findMined = async ({ chain }: Sender, { transactions }: Flight): Promise<Receipt | undefined> => {
  const receipts = await Promise.all(transactions.map(it => chain.receipt(it.hash)))
  return receipts.find(it => it !== undefined)
}

const land = async (sender: Sender, { intent, transactions }: Flight, mined: Receipt) => {
  if (await followTransaction(sender, intent, mined)) sender.recorded.set(mined.hash, mined)
  for (const it of transactions) sender.offers.forget(it.hash)
}

const resend = async (sender: Sender, left: Flight[]): Promise<Omit<FlightStatus, 'seen' | 'left'>> => {
  const found: Omit<FlightStatus, 'seen' | 'left'> = { needsRepair: false, isPaused: false, isCheap: false, refusal: undefined }
  for (const { transactions, waitedMs } of left) {
    const last = transactions.at(-1)
    if (!last || !sender.offers.isDue(last.hash, waitedMs)) continue
    // The transaction was broadcast before and is not mined, or is refused now: this needs a closer check.
    found.needsRepair = true
    const action = await sender.offers.make(last).catch(asRefusal)
    if (action instanceof BroadcastRefused) found.refusal ??= action
    if (action === 'bump') found.isCheap = true
    if (action !== 'pause') continue
    await askForGas(sender)
    return { ...found, isPaused: true }
  }
  return found
}

/** If the node does not answer at all, the other transactions are not tried. */
const asRefusal = (error: unknown): BroadcastRefused => {
  if (error instanceof BroadcastRefused) return error
  throw error
}
