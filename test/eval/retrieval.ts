import { createHash } from 'node:crypto'
import { toLearned } from '../../src/language/words/learnable.ts'
import type { Search } from '../../src/ports.ts'
import { type Asked, type Figures, toFigures } from './figures.ts'
import { toListing, withIndex } from './index.ts'
import { misspell } from './misspell.ts'
import type { EvalSet, QueryRow } from './sets.ts'

const places = 10
/** The number of hits for an answer that is judged on the query's own candidates, which may rank behind others. */
const placesOfCandidates = 300
/** The number of requests per offering that are learned; the others are asked. */
const pastRequests = 10

/** Sends one query as the service does, and judges the answer. */
const ask = async (search: Search, { text, relevant, kind, candidates }: QueryRow): Promise<Asked> => {
  const began = performance.now()
  const found = await search.search({ text, chainId: 97, limit: places })
  const tookMs = performance.now() - began
  const wanted = new Set(relevant)
  return {
    ...{ kind, relevant: wanted.size, tookMs },
    hits: found.map(it => wanted.has(it.offeringId)),
    sureness: candidates ? await surenessAmong(search, text, candidates) : (found[0]?.score ?? 0),
  }
}

/** The score of the best hit among some offerings. */
const surenessAmong = async (search: Search, text: string, candidates: string[]): Promise<number> => {
  const among = new Set(candidates)
  const found = await search.search({ text, chainId: 97, limit: placesOfCandidates })
  return found.find(it => among.has(it.offeringId))?.score ?? 0
}

const askAll = async (search: Search, queries: QueryRow[]): Promise<Figures> => {
  const asked: Asked[] = []
  for (const query of queries) asked.push(await ask(search, query))
  return toFigures(asked)
}

/** The figures of a set; `r5_misspelt` is the recall within five places for misspelt requests. */
export const measureSet = ({ offerings, queries }: EvalSet): Promise<Figures & { r5_misspelt: number | null }> =>
  withIndex(offerings.map(toListing), async search => {
    const figures = await askAll(search, queries)
    const hasty = queries.map(it => ({ ...it, text: misspell(it.text) }))
    return { ...figures, r5_misspelt: (await askAll(search, hasty)).r5 }
  })

/** Sorts queries in an order that is unrelated to their content and the same in every run. */
const drawn = (it: QueryRow) => createHash('sha256').update(it.id).digest('hex')
const inDrawnOrder = (queries: QueryRow[]) => queries.toSorted((a, b) => (drawn(a) < drawn(b) ? -1 : 1))

/** Up to ten single queries per offering become learned requests; the rest is asked. */
const split = (queries: QueryRow[]) => {
  const past = new Map<string, string[]>()
  const rest: QueryRow[] = []
  for (const query of inDrawnOrder(queries)) {
    const [id = ''] = query.relevant
    const known = past.get(id) ?? []
    if (query.kind !== 'single' || query.relevant.length !== 1 || known.length === pastRequests) rest.push(query)
    else past.set(id, [...known, query.text])
  }
  return { past, rest }
}

/** The figures of the same set after each offering has learned requests; undefined where too few queries remain. */
export const measureLearned = async ({ offerings, queries }: EvalSet): Promise<Figures | undefined> => {
  const { past, rest } = split(queries)
  if (rest.filter(it => it.kind === 'single').length < queries.length / 2) return undefined
  const listings = offerings.map((row, at) => ({ ...toListing(row, at), learned: toLearned(past.get(row.id) ?? []) }))
  return withIndex(listings, search => askAll(search, rest))
}
