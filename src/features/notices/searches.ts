import { z } from 'zod'
import { chainOfQuery } from '../../domain/chains/chains.ts'
import { secondMs, toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { endOwn } from '../../operations/endOwn.ts'
import { findListings } from '../../operations/market/findListings.ts'
import { chainOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import { savedSearches, savedSearchRecord } from '../../records/notice.ts'
import type { Worker } from '../../workers/loop.ts'
import { noticeTables, type SavedSearch } from './ports.ts'

const most = { ofWallet: limits.savedSearches, ofAll: limits.savedSearchesOfAll }

const toRecord = ({ id, text, chainId, createdAt, foundAt }: SavedSearch) => ({
  search_id: id,
  text,
  chain_id: chainId,
  since: toIso(createdAt),
  found_at: foundAt === undefined ? null : toIso(foundAt),
})

export const saveSearch = operation({
  name: 'saveSearch',
  summary: 'Wait for an offering that does this. Your browsers are told when one appears.',
  input: z.object({
    text: z.string().trim().min(1).max(limits.savedSearchChars).describe('What you need done'),
    chain_id: chainOfQuery,
  }),
  output: savedSearchRecord,

  async run({ text, chain_id }, deps, caller) {
    const { chainId } = chainOf(deps, chain_id)
    const search = { id: deps.ids.fresh('search'), wallet: userOf(caller), chainId, text }
    const kept = await noticeTables(deps.store).keepSearch(search, most)
    if (!kept) throw new Problem('too-many-kept')
    return toRecord(kept)
  },
})

export const listSearches = operation({
  name: 'listSearches',
  summary: 'Your searches that wait for an offering, and those that found one, newest first.',
  scope: 'look',
  input: z.object({}),
  output: savedSearches,

  async run(_input, { store }, caller) {
    return { searches: (await noticeTables(store).searchesOf(userOf(caller))).map(toRecord) }
  },
})

export const endSearch = endOwn({
  name: 'endSearch',
  summary: 'Wait no longer for an offering.',
  input: z.object({ search_id: z.string().max(100) }),
  missing: 'No such search.',
  end: ({ search_id }, { store }, wallet) => noticeTables(store).dropSearch(search_id, wallet),
})

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
