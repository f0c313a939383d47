import { applyChainEvents } from '../operations/applyChainEvents.ts'
import type { Chain, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Blocks of one question; public nodes allow few. */
const rangeBlocks = 2_000n
/** How far the cursor steps back when its block is no longer on the chain. */
const stepBackBlocks = 64n

/** Follows the escrow's events from our own cursor. An event that comes twice is taken once, because moves and postings are. */
export const watchChain = (deps: { store: Store; chain: Chain }): Worker => ({
  name: `watchChain ${deps.chain.chainId}`,
  channel: 'blocks',
  idleMs: 250,
  runOnce: () => watchOnce(deps),
})

const watchOnce = async ({ store, chain }: { store: Store; chain: Chain }): Promise<boolean> => {
  const head = await chain.head()
  const cursor = (await store.cursor(chain.chainId)) ?? { number: 0n, hash: undefined }
  if (cursor.hash && (await chain.blockHash(cursor.number)) !== cursor.hash) {
    await stepBack({ store, chain }, cursor.number)
    return true
  }
  if (head.number <= cursor.number) return false
  const from = cursor.number + 1n
  const to = head.number - from > rangeBlocks ? from + rangeBlocks : head.number
  const events = await chain.events(from, to)
  const hash = to === head.number ? head.hash : await chain.blockHash(to)
  if (!hash) return true
  await applyChainEvents({ store, chain }, events, { number: to, hash })
  return to < head.number
}

/** The chain is not the one we read: go back to a block that both know, and read again. */
const stepBack = async ({ store, chain }: { store: Store; chain: Chain }, from: bigint) => {
  const head = await chain.head()
  const lower = from < head.number ? from : head.number
  const number = lower > stepBackBlocks ? lower - stepBackBlocks : 0n
  const hash = await chain.blockHash(number)
  if (hash) await store.setCursor(chain.chainId, { number, hash })
}
