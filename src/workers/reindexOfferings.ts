import { z } from 'zod'
import { isListed } from '../domain/offering.ts'
import type { Search, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

const atOnce = 500
const leaseMs = 30_000
const payload = z.object({ agentKey: z.string() })

type Reach = { store: Store; search: Search }

/** Keeps the search index behind the offerings by a second at most. */
export const reindexOfferings = (deps: Reach): Worker => ({
  name: 'reindexOfferings',
  channel: 'outbox:index',
  idleMs: 1_000,
  async runOnce() {
    const rows = await deps.store.claimOutbox('index', leaseMs, atOnce)
    if (rows.length === 0) return false
    const agents = new Set(rows.map(row => payload.parse(row.payload).agentKey))
    for (const key of agents) await reindexAgent(deps, key)
    await deps.store.doneOutbox(
      'index',
      rows.map(row => row.key),
    )
    return rows.length === atOnce
  },
})

const reindexAgent = async ({ store, search }: Reach, key: string) => {
  const agent = await store.agent(key)
  if (!agent?.id) return // not minted yet: minting asks again
  const listings = (await store.offerings(agent.id)).filter(isListed)
  await search.remove(agent.id)
  if (listings.length > 0) await search.put(listings)
}

const page = 1_000

/** Fills an empty index from the offerings: the index is a projection and may be deleted at any time. */
export const rebuildIndex = async ({ store, search }: Reach): Promise<number> => {
  if ((await search.count()) > 0) return 0
  let done = 0
  for (;;) {
    const listings = await store.listings({ limit: page, offset: done })
    if (listings.length > 0) await search.put(listings.filter(isListed))
    done += listings.length
    if (listings.length < page) return done
  }
}
