import { secondMs } from '../../domain/durations.ts'
import { findListings } from '../../operations/market/findListings.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Worker } from '../../workers/loop.ts'
import { noticeTables } from './ports.ts'

/** Searches tried in one step, and the pause between two tries of one. A search takes some milliseconds. */
const atOnce = 5
const restMs = 15 * secondMs
/** Share of the words of a search that an offering must have. With less it does something else. */
const minCoverage = 0.6

/** Tries the searches that wait for an offering. Only an agent that has connected counts as one that does it. */
export const watchSearches = (deps: Pick<Deps, 'store' | 'clock' | 'gateway' | 'search'>): Worker => ({
  name: 'watchSearches',
  channel: 'outbox:index',
  idleMs: 5 * secondMs,
  restMs: secondMs,
  async runOnce() {
    const tables = noticeTables(deps.store)
    const searches = await tables.takeSearches(atOnce, restMs)
    for (const { id, text, chainId } of searches) {
      const found = await findListings(deps, { text, chainId, maxPrice: undefined, agent: undefined, limit: atOnce })
      if (found.some(it => it.hasConnected && it.coverage >= minCoverage)) await tables.markFound(id)
    }
    return searches.length === atOnce
  },
})
