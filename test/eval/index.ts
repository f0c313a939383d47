import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Indexed, Search } from '../../src/ports.ts'
import { openSearch } from '../../src/search/search.ts'
import type { OfferingRow } from './sets.ts'

const registry = '97:0x8004a818bfb912233c491871b3d84c89a494bd9e'
const batch = 1_000

/** A row of a set as a listing of its own agent, so that listings do not share an agent. */
export const toListing = (row: OfferingRow, place: number): Indexed => ({
  ...{ id: row.id, name: row.name, description: row.description, requirement: row.requirement ?? {} },
  ...{ price: '1', jobInput: '', jobOutput: '', deliverable: {}, slaMinutes: 5, requiredFunds: false },
  ...{ restricted: false, hide: false, active: true, version: 1, chainId: 97 },
  ...{ agentId: `${registry}:${place}`, agentHandle: `agent${place}`, agentName: row.name },
})

/** Opens the search index of the product in a temporary folder. */
export const withIndex = async <T>(listings: Indexed[], work: (search: Search) => Promise<T>): Promise<T> => {
  const dir = await mkdtemp(join(tmpdir(), 'eval-'))
  const search = await openSearch({ dir, clock: { now: () => Date.now() } })
  try {
    for (let at = 0; at < listings.length; at += batch) await search.put(listings.slice(at, at + batch))
    return await work(search)
  } finally {
    await search.close()
    await rm(dir, { recursive: true, force: true })
  }
}
