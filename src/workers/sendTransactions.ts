import { BroadcastRefused } from '../domain/chains/broadcast.ts'
import type { Active } from '../ports.ts'
import type { Worker } from './loop.ts'
import { launch } from './sending/launch.ts'
import { lookAgain } from './sending/lookAgain.ts'
import { grounded, lookUp } from './sending/lookUp.ts'
import { mend } from './sending/mend.ts'
import { createOffers } from './sending/offers.ts'
import { type Reach, type Recorded, type Sender, say } from './sending/sender.ts'

/** Lease of a wallet in ms, several times the length of a step. The next leader of the chain takes it from a dead process. */
const leaseMs = 30_000

type Sending = Reach & {
  /** Called when something is under way: transactions wait for their block, or may be sent. */
  onActive?: (() => void) | undefined
  /** Called when transactions were found in a block: their events can be read. */
  onMined?: (() => void) | undefined
}

/**
 * Sends the transactions of all wallets of a chain. A transaction is signed and stored with its nonce before it is broadcast.
 * Until it is mined, the same bytes are broadcast again, so a crash or a lost answer at any point does no harm. Each wallet has
 * one sender at a time, across all processes.
 */
export const sendTransactions = (deps: Sending): Worker => {
  const offers = createOffers(deps.chain)
  const recorded: Recorded = new Map()
  return {
    name: `sendTransactions ${deps.chain.chainId}`,
    channel: 'intents',
    idleMs: 250,
    async runOnce() {
      const senders = await deps.store.activeSenders(deps.chain.chainId)
      if (senders.length > 0) deps.onActive?.()
      // All must end before this step does, because a concurrent step would read what they are writing.
      const steps = await Promise.allSettled(
        senders.map(({ sender: address, ...of }) => sendFor({ ...deps, offers, recorded, address }, of)),
      )
      await lookAgain(deps, recorded)
      const reasons = steps.flatMap(it => (it.status === 'rejected' ? [it.reason] : []))
      // A node that refuses the transaction of one wallet is the smaller fault.
      if (reasons.length > 0) throw reasons.find(it => !(it instanceof BroadcastRefused)) ?? reasons[0]
      // What was seen makes room for others, or lets them go.
      const isMore = senders.some(it => it.hasNext || it.waiting.length > 0)
      return isMore && steps.some(it => it.status === 'fulfilled' && it.value)
    },
  }
}

/** Takes the wallets of a chain from its earlier leader. A leader does so before it sends. */
export const takeSenders = ({ store, chain }: Pick<Reach, 'store' | 'chain'>): Promise<void> =>
  store.takeSenders(chain.chainId, leaseMs)

type UnderWay = Omit<Active, 'sender'>

const sendFor = async ({ onMined, ...at }: Omit<Sender, 'note'> & Sending, read: UnderWay): Promise<boolean> => {
  const { chainId } = at.chain
  const held = await at.store.leaseSender(chainId, at.address, leaseMs)
  if (!held) return false
  // The holder before may have sent some of what was read.
  const of = held.isTaken ? (await at.store.activeSenders(chainId)).find(it => it.sender === at.address) : read
  if (!of) return false
  const sender: Sender = { ...at, note: held.note }
  try {
    const { seen } = await step(sender, of)
    if (seen > 0) onMined?.()
    return seen > 0
  } catch (error) {
    if (!(error instanceof BroadcastRefused)) throw error
    await say(sender, `The wallet ${at.address} waits. ${error.message}`)
    // The platform's wallets fill all others and settle every hire, so the whole chain fails without them.
    const { treasury, evaluator } = at.chain
    throw at.address === treasury || at.address === evaluator ? new Error(error.message, { cause: error }) : error
  }
}

/** What was sent is looked up, and what waits is sent. The next step sends what waited for the transactions seen in this one. */
const step = async (sender: Sender, { flights, ...ahead }: UnderWay): Promise<{ seen: number }> => {
  const status = flights.length > 0 ? await lookUp(sender, flights) : grounded
  if (status.seen > 0) await say(sender, '')
  if (status.needsRepair) await mend(sender, status)
  if (status.refusal) throw status.refusal
  if (status.isPaused) return { seen: 0 }
  if (ahead.waiting.length > 0) await launch(sender, status.left, status.seen > 0 ? undefined : ahead)
  return status
}
