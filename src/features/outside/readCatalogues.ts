import { z } from 'zod'
import { hourMs, minuteMs, secondMs } from '../../domain/durations.ts'
import { parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import type { Till } from '../../domain/x402/purchase.ts'
import { type Deps, operation } from '../../operations/operation.ts'
import type { Worker } from '../../workers/loop.ts'
import { tillOf } from '../x402Buying/quotePurchase.ts'
import { toListed } from './listing.ts'
import { type Catalogue, outsideTables, type ReadPage } from './ports.ts'

/** Pause between two pages, between two readings of a catalogue, and the longest pause after failures, in ms. */
const [pagePauseMs, passPauseMs, longestPauseMs] = [250, 10 * minuteMs, 12 * hourMs]

type Reach = Pick<Deps, 'store' | 'chains' | 'resources' | 'settings'>

/** Reads catalogues of x402 resources, one page at a time. A page that did not change is not sent again (ETag). */
export const readCatalogues = (deps: Reach, urls: readonly string[]): Worker => {
  const tables = outsideTables(deps.store)
  let isOpen = false
  let isReading = true
  return {
    name: 'readCatalogues',
    channel: 'catalogues',
    get idleMs() {
      return isReading ? pagePauseMs : 5 * secondMs
    },
    async runOnce() {
      if (!isOpen) await tables.openCatalogues(urls)
      isOpen = true
      const due = await tables.dueCatalogue()
      isReading = due !== undefined
      if (due) await readNext(deps, due)
      return false
    },
  }
}

const page = z.looseObject({
  items: z.array(z.unknown()).optional(),
  resources: z.array(z.unknown()).optional(),
  pagination: z.looseObject({ total: z.number().optional() }).optional().catch(undefined),
})

/** Most pages of one reading. What a catalogue lists beyond them is left out. */
const mostPages = limits.catalogueListings / limits.catalogueRows

/** Reads the next page. While no chain is spoken, everything would be refused, so nothing is read. */
const readNext = async (deps: Reach, it: Catalogue): Promise<void> => {
  const tables = outsideTables(deps.store)
  const tills = await tillsOf(deps)
  if (tills.length === 0) return
  try {
    const read = await keepPage(deps, it, tills)
    const isEnd = read.isLast || it.page + 1 >= mostPages
    const pages = [...it.pages.slice(0, it.page), read, ...(isEnd ? [] : it.pages.slice(it.page + 1))]
    await tables.turnPage({ catalogue: it.url, pages, isEnd, pauseMs: isEnd ? passPauseMs : pagePauseMs })
  } catch (error) {
    // A failure of the catalogue is not one of this service.
    const reason = asProblem(error).detail
    await tables.failCatalogue(it.url, { reason, pauseMs: Math.min(minuteMs * 2 ** it.tries, longestPauseMs) })
  }
}

const etagChars = 200
/** What is read of a listing. A page that an earlier release read otherwise is asked for again. */
const reading = 'with schemes'

const keepPage = async (deps: Reach, { url, pass, page: at, pages }: Catalogue, tills: Till[]): Promise<ReadPage> => {
  const tables = outsideTables(deps.store)
  const chains = [...tills.map(it => it.chainId), reading].join(',')
  // With other chains, the same page is read differently.
  const known = pages[at]?.chains === chains ? pages[at] : undefined
  const offset = at * limits.catalogueRows
  const asked = `${url.replace(/\/$/, '')}/discovery/resources?type=http&limit=${limits.catalogueRows}&offset=${offset}`
  const headers: Record<string, string> = known?.etag ? { 'if-none-match': known.etag } : {}
  const request = { url: asked, method: 'GET' as const, body: undefined }
  const answer = await deps.resources.ask(request, AbortSignal.timeout(limits.probeMs), headers)
  if (answer.status === 304 && known) {
    await tables.keepOldPage({ catalogue: url, pass, page: at })
    return known
  }
  const { data } = page.safeParse(answer.status === 200 ? parseJson(answer.body) : undefined)
  const items = data?.items ?? data?.resources
  if (!items) throw new Problem('agent-unreachable', `It answered with status ${answer.status} and no list of resources.`)
  const spoken = { tills, allowsPrivate: deps.settings.allowsPrivate }
  const listed = items.slice(0, limits.catalogueRows).flatMap(it => toListed(it, spoken) ?? [])
  await tables.keepPage({ catalogue: url, pass, page: at, listed })
  const total = data?.pagination?.total ?? Number.POSITIVE_INFINITY
  const isLast = items.length < limits.catalogueRows || offset + items.length >= total
  return { etag: (answer.etag ?? '').slice(0, etagChars), isLast, chains }
}

const tillsOf = async ({ chains }: Pick<Deps, 'chains'>): Promise<Till[]> =>
  (await Promise.all([...chains.values()].map(tillOf))).flatMap(it => it ?? [])

/** Kinds of refusal that are listed. */
const refusals = 50

export const listCatalogues = operation({
  name: 'listCatalogues',
  summary: 'The catalogues of other services that are read here, what of them is shown, and what is refused, by name.',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({
    catalogues: z.array(
      z.object({
        url: z.string(),
        listed: z.number(),
        refused: z.number().describe('Listings that ask for something that is not spoken here'),
        shown: z.number().describe('Listings that passed their last check'),
        read_at: z.string().describe('ISO 8601; when it was last read to its end; empty when it never was'),
        reason: z.string().describe('Why the last attempt failed'),
      }),
    ),
    refused: z.array(z.object({ refusal: z.string(), listings: z.number() })),
  }),

  async run(_, { store, settings }) {
    if (!settings.catalogues) return { catalogues: [], refused: [] }
    const counts = await outsideTables(store).countListings()
    return {
      catalogues: counts.map(({ readAt, ...it }) => ({
        ...it,
        read_at: readAt === undefined ? '' : new Date(readAt).toISOString(),
      })),
      refused: await outsideTables(store).countRefused(refusals),
    }
  },
})
