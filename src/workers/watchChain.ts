import { Problem } from '../domain/problem.ts'
import { applyChainEvents } from '../operations/ledger/applyChainEvents.ts'
import { retractChainEvents } from '../operations/ledger/retractChainEvents.ts'
import { tellSeen } from '../operations/ledger/tellSeen.ts'
import type { Chain, ChainEvent, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; chain: Chain }
type Progress = { size: bigint; failures: number; looksBehind: number }

/** Blocks of one query. Some public nodes allow fewer, so the range is halved until they answer. */
const rangeBlocks = 2_000n
/** A block that fails this often by itself is skipped. The reconciler reads it again later. */
const triesOfOneBlock = 5
/** A head below the cursor means a lagging node. After this many reads in a row it means another history. */
const looksBehind = 8

/**
 * Follows the escrow's events from the stored cursor. Each event is processed once, and a reorganisation undoes those that it
 * removed. A block range that the node cannot answer never stops the worker.
 */
export const watchChain = (deps: Reach): Worker => {
  const progress: Progress = { size: rangeBlocks, failures: 0, looksBehind: 0 }
  return {
    name: `watchChain ${deps.chain.chainId}`,
    channel: 'blocks',
    idleMs: 250,
    runOnce: () => watchOnce(deps, progress),
  }
}

const watchOnce = async (deps: Reach, progress: Progress): Promise<boolean> => {
  const { store, chain } = deps
  const head = await chain.head()
  const cursor = (await store.cursor(chain.chainId)) ?? { number: 0n, hash: undefined }
  if (cursor.hash && (await chain.blockHash(cursor.number)) !== cursor.hash) {
    if (head.number < cursor.number && ++progress.looksBehind < looksBehind) return false
    progress.looksBehind = 0
    await walkBack(deps, head.number)
    return true
  }
  progress.looksBehind = 0
  if (head.number <= cursor.number) return false
  // Events above the cursor come from a read during a reorganisation, or were removed before the cursor reached them.
  await retractChainEvents(deps, { above: cursor.number })
  await readOn(deps, progress, { from: cursor.number + 1n, head })
  await tellSeen(deps)
  return ((await store.cursor(chain.chainId))?.number ?? 0n) < head.number
}

type Way = { from: bigint; head: { number: bigint; hash: `0x${string}` } }

const readOn = async (deps: Reach, progress: Progress, { from, head }: Way): Promise<void> => {
  const { chain } = deps
  const last = from + progress.size - 1n
  const to = last < head.number ? last : head.number
  try {
    const events = await chain.events(from, to)
    const hash = to === head.number ? head.hash : await chain.blockHash(to)
    // The chain changed during the query, so the range is read again.
    if (!hash || !(await isOneHistory(chain, events))) return
    await applyChainEvents(deps, events, { cursor: { number: to, hash } })
    progress.failures = 0
    progress.size = progress.size * 2n < rangeBlocks ? progress.size * 2n : rangeBlocks
  } catch (error) {
    const blocks = to - from + 1n
    if (blocks > 1n) progress.size = blocks / 2n
    else if (!isOutage(error) && ++progress.failures >= triesOfOneBlock) await passOver(deps, progress, from)
    throw error
  }
}

const isOutage = (error: unknown) => error instanceof Problem && error.type === 'chain-unavailable'

const passOver = async ({ store, chain }: Reach, progress: Progress, number: bigint) => {
  progress.failures = 0
  const hash = await chain.blockHash(number)
  if (hash) await store.setCursor(chain.chainId, { number, hash })
}

const isOneHistory = async (chain: Chain, events: ChainEvent[]): Promise<boolean> => {
  const told = new Map(events.map(it => [it.blockNumber, it.blockHash]))
  for (const [number, hash] of told) if ((await chain.blockHash(number)) !== hash) return false
  return true
}

/** After a reorganisation: undoes events above the newest common block, and continues from there. */
const walkBack = async ({ store, chain }: Reach, headNumber: bigint) => {
  const visited = await store.visitedBlocks(chain.chainId)
  for (const block of visited) {
    if (block.number > headNumber || (await chain.blockHash(block.number)) !== block.hash) continue
    await retractChainEvents({ store, chain }, { above: block.number, cursor: block })
    return
  }
  const oldest = visited.at(-1)?.number ?? 0n
  const number = oldest > rangeBlocks ? oldest - rangeBlocks : 0n
  const hash = await chain.blockHash(number)
  if (hash) await retractChainEvents({ store, chain }, { above: number, cursor: { number, hash } })
}
