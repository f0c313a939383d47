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
      const found = await deps.store.activeSenders(deps.chain.chainId)
      if (found.length > 0) deps.onActive?.()
      const { senders, failed } = await leaseAll(deps, found)
      // All must end before this step does, because a concurrent step would read what they are writing.
      const sent = await Promise.allSettled(
        senders.map(({ note, sender: address, ...of }) => sendFor({ ...deps, offers, recorded, note, address }, of)),
      )
      const steps = [...failed, ...sent]
      await lookAgain(deps, recorded)
      const reasons = steps.flatMap(it => (it.status === 'rejected' ? [it.reason] : []))
      if (reasons.length > 0) throw toFault(reasons, steps.length)
      // What was seen makes room for others, or lets them go.
      const isMore = senders.some(it => it.hasNext || it.waiting.length > 0)
      return isMore && steps.some(it => it.status === 'fulfilled' && it.value)
    },
  }
}

/** Two wallets may be broken at once. A node that refuses all of more wallets takes no transactions. */
const brokenWallets = 2

/** The fault of a step. A node that refuses the transactions of few wallets is a smaller one than a node that takes none. */
const toFault = (reasons: unknown[], wallets: number): unknown => {
  const [first] = reasons
  const larger = reasons.find(it => !(it instanceof BroadcastRefused))
  if (larger !== undefined || !(first instanceof BroadcastRefused)) return larger
  return wallets > brokenWallets && reasons.length === wallets ? new Error(first.message, { cause: first }) : first
}

/** Takes the wallets of a chain from its earlier leader. A leader does so before it sends. */
export const takeSenders = ({ store, chain }: Pick<Reach, 'store' | 'chain'>): Promise<void> =>
  store.takeSenders(chain.chainId, leaseMs)

type UnderWay = Omit<Active, 'sender'>

/** The senders whose leases this process has now, and the failures of the others. */
const leaseAll = async ({ store, chain: { chainId } }: Reach, found: Active[]) => {
  const leases = await Promise.allSettled(
    found.map(async ({ sender }) => ({ sender, held: await store.leaseSender(chainId, sender, leaseMs) })),
  )
  const held = new Map(
    leases.flatMap(it => (it.status === 'fulfilled' && it.value.held ? [[it.value.sender, it.value.held]] : [])),
  )
  // The holders before may have sent some of what was read.
  const isOld = [...held.values()].some(it => it.isTaken)
  const read = isOld ? await store.activeSenders(chainId) : found
  const senders = read.flatMap(it => {
    const lease = held.get(it.sender)
    return lease ? [{ ...it, note: lease.note }] : []
  })
  return { senders, failed: leases.filter(it => it.status === 'rejected') }
}

const sendFor = async ({ onMined, ...sender }: Sender & Sending, of: UnderWay): Promise<boolean> => {
  try {
    const { seen } = await step(sender, of)
    if (seen > 0) onMined?.()
    return seen > 0
  } catch (error) {
    if (!(error instanceof BroadcastRefused)) throw error
    await say(sender, `The wallet ${sender.address} waits. ${error.message}`)
    // The platform's wallets fill all others and settle every hire, so the whole chain fails without them.
    const { treasury, evaluator } = sender.chain
    throw sender.address === treasury || sender.address === evaluator ? new Error(error.message, { cause: error }) : error
  }
}

/** What was sent is looked up, and what waits is sent. The next step sends what waited for the transactions seen in this one. */
const step = async (sender: Sender, { flights, ...ahead }: UnderWay): Promise<{ seen: number }> => {
  const status = flights.length > 0 ? await lookUp(sender, flights) : grounded
  if (status.seen > 0) await say(sender, '')
  if (status.needsRepair) await mend(sender, status)
  if (status.refusal) throw status.refusal
  if (status.isPaused) return { seen: 0 }
  // What was seen lets others go, and a repair uses nonces and waiting intents.
  const isOld = status.seen > 0 || status.needsRepair
  if (ahead.waiting.length > 0) await launch(sender, status.left, isOld ? undefined : ahead)
  return status
}
