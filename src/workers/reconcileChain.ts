import { minuteMs } from '../domain/durations.ts'
import { applyChainEvents } from '../operations/ledger/applyChainEvents.ts'
import { decideEnd } from '../operations/ledger/payout.ts'
import { retractChainEvents } from '../operations/ledger/retractChainEvents.ts'
import type { Chain, ChainJob, Follower, Job, Store } from '../ports.ts'
import { everyPage } from './everyPage.ts'
import { inSequence } from './inSequence.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; chain: Chain; followers: readonly Follower[] }

/** Nodes may omit logs of blocks that are seconds old, but not of blocks that are minutes old. */
const rescannedBlocks = 20n
const rangeBlocks = 2_000n

/**
 * Checks the watcher's result: reads the newest blocks again, and compares every open job with its contract. Missed events are
 * found within a minute, even in a block that the watcher skipped. Payments of features are compared too, where
 * somebody may still make them.
 */
export const reconcileChain = (deps: Reach): Worker => ({
  name: `reconcileChain ${deps.chain.chainId}`,
  channel: 'reconcile',
  idleMs: minuteMs,
  async runOnce() {
    const cursor = await deps.store.cursor(deps.chain.chainId)
    if (!cursor) return false
    await inSequence([rescan, readJobs, checkPayments], step => step(deps, cursor.number))
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
  everyPage(deps.store.openJobs, deps.chain.chainId, job => reconcileJob(deps, job, newest))

const checkPayments = ({ store, chain, followers }: Reach) =>
  inSequence([...followers], async it => it.checkOpen?.({ store, chain }))

const reconcileJob = async (deps: Reach, { id, chainJobId }: Job, newest: bigint) => {
  const { store, chain } = deps
  const status = chainJobId === undefined ? 'unknown' : (await chain.job(chainJobId)).status
  if (status === 'funded' || status === 'submitted') return decideAgain(deps, id, status)
  const blocks = (await store.minedBlocksOf(id)).filter(it => it <= newest)
  for (const block of blocks) await readAgain(deps, block, block)
  const job = await store.job(id)
  // Suspended effects are dropped after a minute at most, because a waiting nonce blocks all later ones of its wallet. If the
  // funding returns later, the effect is decided again.
  if (job && job.state !== 'open' && job.chainJobId === undefined) await store.dropSuspended(id)
  const [hired] = blocks
  // Our row says mined, but there is no event. A reorganisation may have happened between the read and its record.
  if (hired !== undefined && job && job.chainJobId === undefined) await retractChainEvents(deps, { above: hired - 1n })
  // A transaction of another account has ended the job on chain, and its event was missed.
  if (hired !== undefined && job?.chainJobId !== undefined && status !== 'unknown' && !isEnded(job))
    await readAgain(deps, hired, newest)
}

const isEnded = ({ state }: Job) => state === 'settled' || state === 'refunded'

/** Queues the next effect of a job that holds money and has no effect pending. */
const decideAgain = ({ store, chain }: Reach, id: string, status: ChainJob['status']) =>
  store.atomically(async tables => {
    const job = await tables.job(id)
    if (job) await decideEnd(tables, chain, { job, status })
  })
