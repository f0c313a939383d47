import type { Hex } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, ChainEvent, Job, Mined, PlacedEvent, Store, StoredEvent, Tables } from '../../ports.ts'
import { withPlaces } from './applyChainEvents.ts'
import { type Booking, unbook } from './bookings.ts'

type Reach = { store: Store; chain: Chain }

/**
 * Compares the stored events above a block with the current chain. An event whose transaction was mined again with the same
 * outcome gets its new block. Removed events are undone, newest first, with their moves, postings and later effects. Our own
 * removed transactions are set back to sent, and the same bytes are broadcast again.
 * @param cursor new position of the reader, in the same write
 * @returns whether anything was undone
 */
export const retractChainEvents = async (
  { store, chain }: Reach,
  { above, cursor }: { above: bigint; cursor?: { number: bigint; hash: Hex } },
): Promise<boolean> => {
  const chainCheck = createChainCheck(chain, { isFinal: cursor !== undefined })
  const { hasEvents, transactions: mined } = await store.minedAbove(chain.chainId, above)
  const events = hasEvents ? await store.chainEvents(chain.chainId, above) : []
  const checked = await inTurn(events, async event => ({ event, now: await chainCheck.fate(event) }))
  const fates = withFollowers(checked)
  const unmined = await inTurn(mined, async it => (isThere(it, await chain.receipt(it.hash)) ? [] : [it.hash]))
  const gone = fates.filter(it => it.now === 'gone')
  const hashes = unmined.flat()
  if (!cursor && hashes.length === 0 && fates.every(it => it.now === 'there')) return false
  await store.atomically(async tables => {
    for (const { event } of gone) await retract(tables, chain, event)
    for (const { event, now } of fates) if (typeof now === 'object') await tables.placeChainEvent(event.seq, now)
    await tables.unmine(hashes)
    if (cursor) await tables.setCursor(chain.chainId, cursor)
  })
  return gone.length > 0 || hashes.length > 0
}

const inTurn = async <T, R>(items: T[], ask: (item: T) => Promise<R>): Promise<R[]> => {
  const answers: R[] = []
  for (const item of items) answers.push(await ask(item))
  return answers
}

export const isThere = (was: Mined, now: Mined | undefined) =>
  now !== undefined && now.blockNumber === was.blockNumber && now.index === was.index && now.blockTime === was.blockTime

type Fate = 'there' | 'gone' | { blockNumber: bigint; blockHash: Hex }
type Fated = { event: StoredEvent; now: Fate }

/**
 * An on-chain job id may belong to another job after hires were mined again in another order, and later calls may have reached
 * that job. So all later events of the id are undone with its funding, and are read again for the job that has the id now.
 */
const withFollowers = (fates: Fated[]): Fated[] => {
  const lost = new Set(
    fates.filter(({ event, now }) => now === 'gone' && event.name === 'JobFunded').map(it => it.event.chainJobId),
  )
  return fates.map(it => (lost.has(it.event.chainJobId) ? { ...it, now: 'gone' } : it))
}

/**
 * Checks many events against a chain, reading each block once. `isFinal`: the reader goes back, so the chain is as short as it seems.
 * Otherwise a node without the block of an event is behind, and an event that is undone would not be read again.
 */
const createChainCheck = (chain: Chain, { isFinal }: { isFinal: boolean }) => {
  const hashes = new Map<bigint, Promise<Hex | undefined>>()
  const blocks = new Map<bigint, Promise<ChainEvent[]>>()
  const hashOf = (number: bigint) => remember(hashes, number, () => chain.blockHash(number))
  const eventsOf = (number: bigint) => remember(blocks, number, () => chain.events(number, number))
  return {
    async fate(event: StoredEvent): Promise<Fate> {
      // The event exists as long as its block does. A node that omits it is wrong, which happens.
      const hash = await hashOf(event.blockNumber)
      if (hash === event.blockHash) return 'there'
      const receipt = await chain.receipt(event.txHash)
      if (!receipt) return hash === undefined && !isFinal ? 'there' : 'gone'
      const again = withPlaces(await eventsOf(receipt.blockNumber)).find(it => isSame(it, event))
      return again ? { blockNumber: again.blockNumber, blockHash: again.blockHash } : 'gone'
    },
  }
}

const remember = <K, V>(known: Map<K, V>, key: K, ask: () => V): V => {
  const value = known.get(key) ?? ask()
  known.set(key, value)
  return value
}

const isSame = (a: PlacedEvent, b: StoredEvent) =>
  a.txHash === b.txHash && a.place === b.place && a.name === b.name && a.chainJobId === b.chainJobId

const retract = async (tables: Tables, chain: Chain, event: StoredEvent): Promise<void> => {
  if (!(await tables.dropChainEvent(event.seq))) return
  const job = await tables.jobOnChain(chain.chainId, event.chainJobId)
  if (!job) return
  if (event.name === 'PaymentReleased') {
    await undo(tables, job, { event: 'unpay', step: 'payout' })
    // The unused part of a usage price came back in the same transaction.
    if (job.terms.usage) await unbook(tables, job, { step: 'unused' })
  }
  if (event.name === 'Refunded') await undo(tables, job, { event: 'unrefund', step: 'refund' })
  if (event.name !== 'JobFunded') return
  await tables.suspendIntents(job.id, event.chainJobId)
  await undo(tables, job, { event: 'unfund', step: 'escrow' })
}

type Reversal = { event: 'unpay' | 'unrefund' | 'unfund'; step: Booking['step'] }

const undo = async (tables: Tables, job: Job, { event, step }: Reversal) => {
  // The chain changed during the comparison: an earlier event is gone, but a later one was still there. Everything is compared
  // again.
  if (!(await tables.moveJob(job.id, event))) throw new Problem('chain-unavailable', 'The chain changed while it was read.')
  await unbook(tables, job, { step })
}
