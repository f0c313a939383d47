import { BroadcastRefused } from '../domain/chains/broadcast.ts'
import type { Address } from '../domain/hex.ts'
import { limits } from '../domain/limits.ts'
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
  const flying = new Set<Address>()
  return {
    name: `sendTransactions ${deps.chain.chainId}`,
    channel: 'intents',
    idleMs: 250,
    async runOnce() {
      const senders = await deps.store.activeSenders(deps.chain.chainId)
      if (senders.length > 0) deps.onActive?.()
      // All must end before this step does, because a concurrent step would read what they are writing.
      const steps = await Promise.allSettled(
        senders.map(({ sender: address, ...has }) => sendFor({ ...deps, offers, recorded, flying, address }, has)),
      )
      await lookAgain(deps, recorded)
      const reasons = steps.flatMap(it => (it.status === 'rejected' ? [it.reason] : []))
      // A node that refuses the transaction of one wallet is the smaller fault.
      if (reasons.length > 0) throw reasons.find(it => !(it instanceof BroadcastRefused)) ?? reasons[0]
      return steps.some(it => it.status === 'fulfilled' && it.value)
    },
  }
}

/** Takes the wallets of a chain from its earlier leader. A leader does so before it sends. */
export const takeSenders = ({ store, chain }: Pick<Reach, 'store' | 'chain'>): Promise<void> =>
  store.takeSenders(chain.chainId, leaseMs)

/** Whether transactions of a wallet are under way, and whether some may be sent. */
type Has = { hasSent: boolean; hasWaiting: boolean }

const sendFor = async ({ onMined, ...at }: Omit<Sender, 'note'> & Sending, has: Has): Promise<boolean> => {
  const held = await at.store.leaseSender(at.chain.chainId, at.address, leaseMs)
  if (!held) return false
  const sender: Sender = { ...at, note: held.note }
  try {
    const { seen } = await step(sender, has)
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
const step = async (sender: Sender, { hasSent, hasWaiting }: Has): Promise<{ seen: number }> => {
  const { store, chain, address } = sender
  const reads = hasWaiting && !sender.flying.has(address)
  const [status, ahead] = await Promise.all([
    hasSent ? lookUp(sender) : grounded,
    reads ? store.sendable(chain.chainId, address, limits.inFlight) : undefined,
  ])
  if (status.left.length === 0) sender.flying.delete(address)
  if (status.seen > 0) await say(sender, '')
  if (status.needsRepair) await mend(sender, status)
  if (status.refusal) throw status.refusal
  if (status.isPaused) return { seen: 0 }
  if (hasWaiting) await launch(sender, status.left, status.seen > 0 ? undefined : ahead)
  return status
}
