import { z } from 'zod'
import { isListed } from '../domain/offering.ts'
import { indexAgent, toIndexed } from '../operations/agents/indexAgent.ts'
import type { Search, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

const atOnce = 500
const leaseMs = 30_000
const payload = z.object({ agentKey: z.string() })

type Reach = { store: Store; search: Search }

/** Updates the search index within a second of a change to the offerings. */
export const reindexOfferings = (deps: Reach): Worker => ({
  name: 'reindexOfferings',
  channel: 'outbox:index',
  idleMs: 1_000,
  async runOnce() {
    const rows = await deps.store.claimOutbox('index', leaseMs, atOnce)
    if (rows.length === 0) return false
    const agents = new Set(rows.map(row => payload.parse(row.payload).agentKey))
    for (const key of agents) await indexAgent(deps, key)
    await deps.store.doneOutbox(
      'index',
      rows.map(row => row.key),
    )
    return rows.length === atOnce
  },
})

const page = 1_000

/**
 * Restores missing rows of the search index from the offerings. The index is derived data and may be deleted at any time. Extra
 * rows are changes that it has not processed yet.
 * @returns the number of listings indexed again
 */
export const rebuildIndex = async ({ store, search }: Reach): Promise<number> => {
  if ((await search.count()) >= (await store.countListed())) return 0
  let put = 0
  for (let offset = 0; ; offset += page) {
    const listings = await store.listings({ limit: page, offset })
    const listed = listings.filter(isListed)
    if (listed.length > 0) await search.put(await toIndexed(store, listed))
    put += listed.length
    if (listings.length < page) return put
  }
}
