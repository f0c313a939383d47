import { isListed } from '../domain/offerings/offering.ts'
import { ifReadable } from '../domain/problem.ts'
import { indexAgents, toIndexed } from '../operations/agents/indexAgent.ts'
import type { Search, Store } from '../ports.ts'
import { inSequence } from './inSequence.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; search: Search }

/** Agents whose listings are written together. */
const agentsAtOnce = 20

/**
 * Follows the log of index changes, so that a change by any process reaches this index within a second. Each process has its
 * own index and its own position in the log.
 */
export const reindexOfferings = ({ store, search }: Reach): Worker => {
  /** Changes at or after the mark that are already in the index. An open transaction delays the mark. */
  let done = new Set<string>()
  return {
    name: 'reindexOfferings',
    channel: 'outbox:index',
    idleMs: 1_000,
    async runOnce() {
      const { horizon, changes } = await store.indexChanges((await search.mark()) ?? 0)
      const fresh = changes.filter(it => !done.has(it.key))
      const keys = [...new Set(fresh.map(it => it.agentKey))]
      for (let at = 0; at < keys.length; at += agentsAtOnce) await index({ store, search }, keys.slice(at, at + agentsAtOnce))
      done = new Set(changes.filter(it => it.mark >= horizon).map(it => it.key))
      // Without changes the mark need not move: the next step reads none again.
      if (changes.length > 0) await search.setMark(horizon)
      return false
    },
  }
}

/** An agent that cannot be read is left out, so that it does not hold back the others. */
const index = async (deps: Reach, keys: string[]): Promise<void> => {
  const done = await ifReadable(async () => {
    await indexAgents(deps, keys)
    return true
  })
  if (!done && keys.length > 1) await inSequence(keys, key => index(deps, [key]))
}

const page = 1_000

/**
 * Fills a new search index from the store, and also one that misses rows or was used with another database. The index is
 * derived data and may be deleted at any time.
 * @returns the number of listings indexed again
 */
export const rebuildIndex = async ({ store, search }: Reach): Promise<number> => {
  const horizon = await store.indexHorizon()
  const mark = (await search.mark()) ?? Number.POSITIVE_INFINITY
  if (mark <= horizon && (await search.count()) >= (await store.countListed())) return 0
  let put = 0
  for (let offset = 0; ; offset += page) {
    const listings = await store.listings({ limit: page, offset })
    const listed = listings.filter(isListed)
    if (listed.length > 0) await search.put(await toIndexed(store, listed))
    put += listed.length
    // A page may be short, because listings that this release cannot read are left out.
    if (listings.length === 0) break
  }
  // Changes made meanwhile have a mark at or after the horizon, and the worker reads them next.
  if (mark > horizon) await search.setMark(horizon)
  return put
}
