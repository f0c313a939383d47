import { Problem } from '../domain/problem.ts'
import { applyChainEvents } from '../operations/ledger/applyChainEvents.ts'
import { checkPayments } from '../operations/ledger/rebuildChain.ts'
import { reportUnconfirmedEvents } from '../operations/ledger/reportUnconfirmedEvents.ts'
import { retractChainEvents } from '../operations/ledger/retractChainEvents.ts'
import type { Chain, Follower, Store } from '../ports.ts'
import { followBlocks } from './followBlocks.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; chain: Chain; followers?: readonly Follower[] }

/** A block that fails this often by itself is skipped. The reconciler reads it again later. */
const triesOfOneBlock = 5

/**
 * Follows the escrow's events from the stored cursor. Each event is processed once, and a reorganisation undoes those that it
 * removed. A block range that the node cannot answer never stops the worker. Its head is confirmed, so a reorganisation that it
 * meets may have taken back payments without an escrow, which are then compared with the chain.
 */
export const watchChain = (deps: Reach): Worker => {
  const { store, chain, followers = [] } = deps
  const { chainId } = chain
  let failures = 0
  const step = followBlocks({
    chain,
    cursor: async () => (await store.cursor(chainId)) ?? { number: 0n },
    events: chain.events,
    // Events above the cursor come from a read during a reorganisation, or were removed before the cursor reached them.
    before: ({ number }) => retractChainEvents(deps, { above: number }),
    async apply(events, { from, to }) {
      const isMoved = await applyChainEvents(deps, events, { cursor: to, from })
      failures = 0
      return isMoved
    },
    after: () => reportUnconfirmedEvents(deps),
    visited: () => store.visitedBlocks(chainId),
    async retract(to) {
      await checkPayments({ store, chain, followers })
      await retractChainEvents(deps, { above: to.number, cursor: to })
    },
    async failed(number, error) {
      if (isOutage(error) || ++failures < triesOfOneBlock) return
      failures = 0
      const hash = await chain.blockHash(number)
      if (hash) await store.setCursor(chainId, { number, hash })
    },
  })
  return { name: `watchChain ${chainId}`, channel: 'blocks', idleMs: 250, runOnce: step }
}

const isOutage = (error: unknown) => error instanceof Problem && error.type === 'chain-unavailable'
