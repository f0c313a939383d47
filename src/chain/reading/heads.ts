import { BlockNotFoundError } from 'viem'
import type { Hex } from '../../domain/hex.ts'
import { answered, answeredOrNone, type Node } from '../rpc/node.ts'

export type BlockHead = { number: bigint; hash: Hex; timestamp: bigint }

export type Heads = {
  latest(): Promise<BlockHead>
  /** A block by its number; undefined when the node has none. */
  at(number: bigint): Promise<BlockHead | undefined>
  /** Reads the newest block again at its next use if the kept one is below a block that is known to exist. */
  expect(number: bigint): void
}

type Kept = { latest: BlockHead; until: number; below: Map<bigint, Promise<BlockHead | undefined>> }

/**
 * Reads blocks for all readers of a chain in this process. The newest block is read at most once in `freshMs`. Its hash fixes all
 * blocks below, so they are kept until it changes. With 0 nothing is kept.
 */
export const createHeads = (node: Node, freshMs: number): Heads => {
  const read = (number: bigint) => answeredOrNone(node.getBlock({ blockNumber: number }), BlockNotFoundError).then(toHead)
  const readLatest = async () => ofBlock(await answered(node.getBlock({ blockTag: 'latest' })))
  if (freshMs === 0) return { latest: readLatest, at: read, expect: () => undefined }

  let kept: Kept | undefined
  let reading: Promise<BlockHead> | undefined
  const refresh = async () => {
    const latest = await readLatest()
    const below = kept?.latest.hash === latest.hash ? kept.below : new Map()
    kept = { latest, until: performance.now() + freshMs, below }
    return latest
  }
  const latest = async () => {
    if (kept && performance.now() < kept.until) return kept.latest
    reading ??= refresh().finally(() => {
      reading = undefined
    })
    return reading
  }
  return {
    latest,
    expect(number) {
      if (kept && kept.latest.number < number) kept.until = 0
    },
    async at(number) {
      await latest()
      const view = kept
      if (!view || number > view.latest.number) return read(number)
      const known = view.below.get(number)
      if (known) return known
      const asked = read(number)
      view.below.set(number, asked)
      // A failed or empty answer is asked for again.
      const found = await asked.catch(error => {
        view.below.delete(number)
        throw error
      })
      if (!found) view.below.delete(number)
      return found
    },
  }
}

const ofBlock = ({ number, hash, timestamp }: BlockHead): BlockHead => ({ number, hash, timestamp })
const toHead = (block: BlockHead | undefined) => block && ofBlock(block)
