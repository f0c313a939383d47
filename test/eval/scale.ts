import type { Search } from '../../src/ports.ts'
import { type Figures, percentile } from './figures.ts'
import { toListing, withIndex } from './index.ts'
import type { OfferingRow } from './sets.ts'

const searches = 400
/** The number of hits that the service requests. */
const limit = 300
const freshTries = 20

export type Scale = Pick<Figures, 'n' | 'p50_ms' | 'p95_ms'> & {
  /** CPU time of one search over all threads, in ms. On a busy machine it is more reliable than wall-clock time. */
  cpu_ms: number
  fresh_max_ms: number | null
  fill_ms: number
}

/** The first words of listings of the catalogue, as queries for these listings. */
const toQuestions = (rows: OfferingRow[]): string[] => {
  const step = Math.max(1, Math.floor(rows.length / searches))
  return rows.filter((_, at) => at % step === 0).map(it => `I need ${it.description.split(/\s+/).slice(0, 12).join(' ')}`)
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The ms from the change of a listing until a search finds it. */
const measureFresh = async (search: Search, row: OfferingRow, place: number): Promise<number> => {
  const listing = {
    ...toListing(row, place),
    version: 2,
    name: `zq${'abcdefghij'[place % 10]}${'klmnopqrst'[Math.floor(place / 10) % 10]} ${row.name}`,
  }
  const word = listing.name.split(' ')[0] ?? ''
  const isFound = async () => (await search.search({ text: word, limit: 1 }))[0]?.offeringId === row.id
  return timed(async () => {
    await search.put([listing])
    if (!(await isFound())) throw new Error('an indexed listing was not found')
  })
}

/** The latency of sequential searches, and the delay until a new or changed listing is found. */
export const measureScale = async (rows: OfferingRow[]): Promise<Scale> => {
  let fillMs = performance.now()
  return withIndex(rows.map(toListing), async search => {
    fillMs = performance.now() - fillMs
    const took: number[] = []
    const cpuBefore = process.cpuUsage()
    for (const text of toQuestions(rows)) took.push(await timed(() => search.search({ text, chainId: 97, limit })))
    const { user, system } = process.cpuUsage(cpuBefore)
    const cpu_ms = (user + system) / 1_000 / Math.max(1, took.length)
    const fresh: number[] = []
    // Half of them are new, and half change an existing listing.
    for (let n = 0; n < freshTries; n += 1) {
      const row = rows[n]
      if (row) fresh.push(await measureFresh(search, n % 2 === 0 ? row : { ...row, id: `new ${row.id}` }, n))
    }
    const [n, fill_ms] = [rows.length, fillMs]
    return {
      n,
      p50_ms: percentile(took, 0.5),
      p95_ms: percentile(took, 0.95),
      cpu_ms,
      fresh_max_ms: percentile(fresh, 1),
      fill_ms,
    }
  })
}
