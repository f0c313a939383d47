import { applyTokenEvents, retractTokenEvents } from '../operations/tokens/applyTokenEvents.ts'
import type { Chain, Launchpad, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; chain: Chain; launchpad: Launchpad }
type Progress = { size: bigint; looksBehind: number }

/** Blocks of one query. Some public nodes allow fewer, so the range is halved until they answer. */
const rangeBlocks = 2_000n
/** A head below the cursor means a lagging node. After this many reads in a row it means another history. */
const mostLooksBehind = 8
/** Blocks with token events that are compared after a reorganisation. */
const comparedBlocks = 256

/**
 * Follows the launchpad's events from the stored cursor. What it stores follows from the chain alone: after a reorganisation
 * everything above the newest common block is deleted and read again.
 */
export const watchTokens = (deps: Reach): Worker => {
  const progress: Progress = { size: rangeBlocks, looksBehind: 0 }
  return {
    name: `watchTokens ${deps.chain.chainId}`,
    channel: 'blocks',
    idleMs: 250,
    runOnce: () => watchOnce(deps, progress),
  }
}

const watchOnce = async (deps: Reach, progress: Progress): Promise<boolean> => {
  const { store, chain } = deps
  const head = await chain.head()
  const cursor = (await store.tokenCursor(chain.chainId)) ?? (await firstCursor(deps))
  if (cursor.hash && (await chain.blockHash(cursor.number)) !== cursor.hash) {
    if (head.number < cursor.number && ++progress.looksBehind < mostLooksBehind) return false
    progress.looksBehind = 0
    await walkBack(deps, head.number)
    return true
  }
  progress.looksBehind = 0
  if (head.number <= cursor.number) return false
  await readOn(deps, progress, { from: cursor.number + 1n, head })
  return true
}

/** On a public chain the escrow's cursor began at the head of the first start, and tokens are followed from there as well. */
const firstCursor = async ({ store, chain }: Reach): Promise<{ number: bigint; hash?: `0x${string}` }> => {
  if (chain.explorer === undefined) return { number: 0n }
  const blocks = await store.visitedBlocks(chain.chainId)
  return blocks.at(-1) ?? { number: 0n }
}

type Way = { from: bigint; head: { number: bigint; hash: `0x${string}` } }

const readOn = async (deps: Reach, progress: Progress, { from, head }: Way): Promise<void> => {
  const { chain, launchpad } = deps
  const last = from + progress.size - 1n
  const to = last < head.number ? last : head.number
  try {
    const events = await launchpad.events(from, to)
    const hash = to === head.number ? head.hash : await chain.blockHash(to)
    const told = new Map(events.map(it => [it.blockNumber, it.blockHash]))
    // The chain changed during the query, so the range is read again.
    for (const [number, block] of told) if ((await chain.blockHash(number)) !== block) return
    if (!hash || (await chain.blockHash(to)) !== hash) return
    await applyTokenEvents(deps, events, { number: to, hash })
    progress.size = progress.size * 2n < rangeBlocks ? progress.size * 2n : rangeBlocks
  } catch (error) {
    progress.size = to > from ? (to - from + 1n) / 2n : 1n
    throw error
  }
}

const walkBack = async ({ store, chain }: Reach, headNumber: bigint): Promise<void> => {
  const blocks = await store.tokenBlocks(chain.chainId, comparedBlocks)
  for (const block of blocks) {
    if (block.number > headNumber || (await chain.blockHash(block.number)) !== block.hash) continue
    return retractTokenEvents({ store, chain }, block)
  }
  const oldest = blocks.at(-1)?.number ?? headNumber
  const number = oldest > rangeBlocks ? oldest - rangeBlocks : 0n
  const hash = await chain.blockHash(number)
  if (hash) await retractTokenEvents({ store, chain }, { number, hash })
}
