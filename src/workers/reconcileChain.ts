import { minuteMs } from '../domain/durations.ts'
import { applyChainEvents } from '../operations/ledger/applyChainEvents.ts'
import { decideEnd } from '../operations/ledger/payout.ts'
import { retractChainEvents } from '../operations/ledger/retractChainEvents.ts'
import type { Chain, ChainJob, Job, Store } from '../ports.ts'
import { everyPage } from './everyPage.ts'
import { inTurn } from './inTurn.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; chain: Chain }

/** Nodes leave out logs of blocks that are seconds old, not of those that are minutes old. */
const rescannedBlocks = 20n
const rangeBlocks = 2_000n

/**
 * Does not believe the watcher: reads the newest blocks again, and asks the contract about every job that is not over. What was
 * missed is found within a minute, also by a block that was passed over.
 */
export const reconcileChain = (deps: Reach): Worker => ({
  name: `reconcileChain ${deps.chain.chainId}`,
  channel: 'reconcile',
  idleMs: minuteMs,
  async runOnce() {
    const cursor = await deps.store.cursor(deps.chain.chainId)
    if (!cursor) return false
    await inTurn([rescan, readJobs], step => step(deps, cursor.number))
    return false
  },
})

const rescan = async (deps: Reach, newest: bigint) => {
  const above = newest > rescannedBlocks ? newest - rescannedBlocks : 0n
  await retractChainEvents(deps, { above })
  await readAgain(deps, above + 1n, newest)
}

const readAgain = async (deps: Reach, from: bigint, to: bigint) => {
  for (let at = from; at <= to; at += rangeBlocks) {
    const last = at + rangeBlocks - 1n
    await applyChainEvents(deps, await deps.chain.events(at, last < to ? last : to))
  }
}

const readJobs = (deps: Reach, newest: bigint) =>
  everyPage(deps.store.openJobs, deps.chain.chainId, job => heal(deps, job, newest))

const heal = async (deps: Reach, { id, chainJobId }: Job, newest: bigint) => {
  const { store, chain } = deps
  const status = chainJobId === undefined ? 'unknown' : (await chain.job(chainJobId)).status
  if (status === 'funded' || status === 'submitted') return decideAgain(deps, id, status)
  const blocks = (await store.minedBlocksOf(id)).filter(it => it <= newest)
  for (const block of blocks) await readAgain(deps, block, block)
  const job = await store.job(id)
  // Held for a minute at most: a nonce that waits holds up everything of its wallet. A funding that comes later decides again.
  if (job && job.state !== 'open' && job.chainJobId === undefined) await store.dropHeld(id)
  const [hired] = blocks
  // Mined as we believe, and without its event: a reorganisation may have come between our look and our note of it.
  if (hired !== undefined && job && job.chainJobId === undefined) await retractChainEvents(deps, { above: hired - 1n })
  // The contract has ended a job by somebody else's transaction, and we do not know of it.
  if (hired !== undefined && job?.chainJobId !== undefined && status !== 'unknown' && !isEnded(job))
    await readAgain(deps, hired, newest)
}

const isEnded = ({ state }: Job) => state === 'settled' || state === 'refunded'

/** A job whose money waits, and for which nothing is under way. */
const decideAgain = ({ store, chain }: Reach, id: string, status: ChainJob['status']) =>
  store.atomically(async tables => {
    const job = await tables.job(id)
    if (job) await decideEnd(tables, chain, { job, status })
  })
