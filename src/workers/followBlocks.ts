import type { Hex } from '../domain/hex.ts'
import type { Chain, Store } from '../ports.ts'

export type Block = { number: bigint; hash: Hex }
/** The last block that was read. Without a hash nothing was read yet. */
export type Cursor = { number: bigint; hash?: Hex | undefined }

/** The events of one contract, as a worker reads and stores them. */
type Reading<E> = {
  chain: Pick<Chain, 'head' | 'blockHash'>
  cursor(): Promise<Cursor>
  events(from: bigint, to: bigint): Promise<E[]>
  /** Called before and after a range is read. */
  before?(cursor: Cursor): Promise<unknown>
  after?(): Promise<unknown>
  /** Stores the events and the new cursor in one write; false when another reader has moved the cursor away from `from`. */
  apply(events: E[], of: { from: Cursor; to: Block }): Promise<boolean>
  /** Blocks that were read, newest first, to compare after a reorganisation. */
  visited(): Promise<Block[]>
  /** Undoes what was read above a block of the present chain, and moves the cursor there in the same write. */
  retract(to: Block, of: { from: Cursor }): Promise<unknown>
  /** Ranges without events move the stored cursor only now and then. After a restart they are read again. */
  skipsEmpty?: boolean
  /** A block that failed several times by itself. Without this function it is read again until the node answers. */
  failed?(number: bigint, error: unknown): Promise<void>
}

/** `staleReads`: reads in a row with a head below the cursor. */
type Progress = { size: bigint; staleReads: number }

/** On a public chain the escrow's cursor began at the head of the first start, and features follow the chain from there as well. */
export const firstCursor = async ({ store, chain }: { store: Store; chain: Chain }): Promise<Cursor> => {
  if (chain.explorer === undefined) return { number: 0n }
  const blocks = await store.visitedBlocks(chain.chainId)
  return { number: blocks.at(-1)?.number ?? 0n }
}

type At<E> = { reading: Reading<E>; progress: Progress }

/** Blocks of one query. Some public nodes allow fewer, so the range is halved until they answer. */
const rangeBlocks = 2_000n
/** A head below the cursor means a lagging node. After this many reads in a row it means another history. */
const maxStaleReads = 8

/** Blocks without events after which the cursor is stored all the same. */
const mostUnstored = 64n

/** How far the chain was read, and the stored cursor, which may be behind. */
type Reached = { cursor: Cursor; stored: Cursor }
/** `reached`: after the step; undefined when the cursor must be read. */
type Stepped = { reached: Reached | undefined; more: boolean }

/**
 * Follows the events of a contract from a stored cursor. Each step reads one range, or goes back to the newest common block after
 * a reorganisation. The cursor is read once, and again after a step that failed or met another reader: a write moves it only from
 * where it was.
 * @returns the step; true when there may be more to read
 */
export const followBlocks = <E extends { blockNumber: bigint; blockHash: Hex }>(
  reading: Reading<E>,
): (() => Promise<boolean>) => {
  const at = { reading, progress: { size: rangeBlocks, staleReads: 0 } }
  let known: Reached | undefined
  return async () => {
    const reached = known ?? toReached(await reading.cursor())
    known = undefined
    const stepped = await step(at, reached)
    known = stepped.reached
    return stepped.more
  }
}

const toReached = (cursor: Cursor): Reached => ({ cursor, stored: cursor })

const step = async <E extends { blockNumber: bigint; blockHash: Hex }>(at: At<E>, reached: Reached): Promise<Stepped> => {
  const { reading, progress } = at
  const { chain } = reading
  const { cursor, stored } = reached
  // Read at the same time, because a node on this machine answers both with one exchange.
  const [head, hash] = await Promise.all([chain.head(), cursor.hash && chain.blockHash(cursor.number)])
  if (cursor.hash && hash !== cursor.hash) {
    if (head.number < cursor.number && ++progress.staleReads < maxStaleReads) return { reached, more: false }
    progress.staleReads = 0
    // The stored cursor may still be on the chain. The next step reads and compares it.
    if (stored.number === cursor.number) await walkBack(reading, { from: cursor, headNumber: head.number })
    return { reached: undefined, more: true }
  }
  progress.staleReads = 0
  if (head.number <= cursor.number) return { reached, more: false }
  await reading.before?.(cursor)
  const next = await readRange(at, { cursor, stored, head })
  await reading.after?.()
  return { reached: next, more: next === undefined || next.cursor.number < head.number }
}

type Range = Reached & { head: Block }

/** Returns how far was read; undefined when the range must be read again. */
const readRange = async <E extends { blockNumber: bigint; blockHash: Hex }>(
  { reading, progress }: At<E>,
  { cursor, stored, head }: Range,
): Promise<Reached | undefined> => {
  const from = cursor.number + 1n
  const last = from + progress.size - 1n
  const to = last < head.number ? last : head.number
  try {
    const events = await reading.events(from, to)
    const hash = to === head.number ? head.hash : await reading.chain.blockHash(to)
    // The chain changed during the query, so the range is read again.
    if (!hash || !(await isOneHistory(reading, { events, ends: [cursor, { number: to, hash }] }))) return undefined
    const block = { number: to, hash }
    const isSkipped = reading.skipsEmpty && events.length === 0 && stored.hash && to - stored.number < mostUnstored
    const isMoved = isSkipped || (await reading.apply(events, { from: stored, to: block }))
    progress.size = progress.size * 2n < rangeBlocks ? progress.size * 2n : rangeBlocks
    return isMoved ? { cursor: block, stored: isSkipped ? stored : block } : undefined
  } catch (error) {
    const blocks = to - from + 1n
    if (blocks > 1n) progress.size = blocks / 2n
    else await reading.failed?.(from, error)
    throw error
  }
}

type RangeRead = { events: { blockNumber: bigint; blockHash: Hex }[]; ends: Cursor[] }

/** Whether the events, the block before the range and its last block belong to the present chain. */
const isOneHistory = async ({ chain }: Pick<Reading<unknown>, 'chain'>, { events, ends }: RangeRead): Promise<boolean> => {
  const hashes = new Map(events.map(it => [it.blockNumber, it.blockHash]))
  for (const { number, hash } of ends) if (hash) hashes.set(number, hashes.get(number) ?? hash)
  const found = await Promise.all([...hashes].map(async ([number, hash]) => (await chain.blockHash(number)) === hash))
  return found.every(Boolean)
}

const walkBack = async (
  { chain, visited, retract }: Pick<Reading<unknown>, 'chain' | 'visited' | 'retract'>,
  { from, headNumber }: { from: Cursor; headNumber: bigint },
): Promise<void> => {
  const blocks = await visited()
  for (const block of blocks) {
    if (block.number > headNumber || (await chain.blockHash(block.number)) !== block.hash) continue
    await retract(block, { from })
    return
  }
  const oldest = blocks.at(-1)?.number ?? 0n
  const number = oldest > rangeBlocks ? oldest - rangeBlocks : 0n
  const hash = await chain.blockHash(number)
  if (hash) await retract({ number, hash }, { from })
}
