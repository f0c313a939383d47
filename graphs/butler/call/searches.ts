import type { TurnCall } from '../../../src/domain/runs/turnCall.ts'
import { toForm } from '../../../src/domain/schemas/testInput.ts'
import { toQuotable } from '../../../src/domain/text/quotableText.ts'
import { gapOf } from '../../../src/language/text/gap.ts'
import type { TurnQuestion, Understanding } from '../../../src/ports.ts'
import type { ButlerDeps, Candidate } from '../deps.ts'
import { isSame, joined } from '../offers/candidates.ts'
import type { ButlerState } from '../state.ts'
import { clockOf } from '../zones.ts'
import { mergeLimits } from './merge.ts'

// What a model sees of the market: what code found by the message, and what the model searched for itself.

/** Candidates that a model sees. Beside an open question or proposal few are, because most messages are about what is open. */
const maxCandidates = 8
const maxBeside = 4
/** Of them, at most this many break a limit of the user. They follow those that keep to all. */
const maxBeyond = 2
/** Searches of one look: one for each task of a message. */
const maxSearches = 4
const queryChars = 500

/** A search of the model: what it found, and what was found before it. */
type Looked = { query: string; list: Candidate[]; before: Candidate[] }

export type Searched = {
  /** With the limits that the user stated, as far as both readers read them. */
  wish: Understanding
  /** What was found so far, the newest first. */
  found: Candidate[]
  looked: Looked[]
  /** The task in English, as the model searched for it last. */
  query: string
}

type Place = { state: ButlerState; said: string; zone: string | undefined }

/** Searches by the message itself. */
export const searchFirst = async (deps: ButlerDeps, { state, said }: Place, rules: Understanding): Promise<Searched> => ({
  wish: rules,
  found: await searchFor(deps, state, { text: said, wish: rules }),
  looked: [],
  query: '',
})

/** Searches again by the calls of the model, within the limits that it read, too. */
export const searchAgain = async (deps: ButlerDeps, { state, said, zone }: Place, of: Searched & { calls: TurnCall[] }) => {
  const searches = of.calls.slice(0, maxSearches).map(it => {
    const wish = { ...of.wish, ...mergeLimits(of.wish, it, { said, now: clockOf(said, deps.now(), zone) }) }
    return { text: toQuotable(it.query, queryChars), wish }
  })
  const lists = await Promise.all(searches.map(it => searchFor(deps, state, it)))
  const looked = searches.map((it, at) => ({ query: it.text, list: lists[at] ?? [], before: of.found }))
  const [only] = searches.length === 1 ? searches : []
  return {
    wish: only?.wish ?? of.wish,
    found: joined(inTurn(lists), of.found),
    looked: [...of.looked, ...looked],
    query: searches[0]?.text ?? of.query,
  } satisfies Searched
}

/** `picks`: what the user was shown to pick from. `open`: the offering that is open, or that was hired last. */
type Known = { picks: Candidate[]; open: Candidate | undefined; isBeside: boolean }

/** The candidates of a turn: those that are known, then those within the limits, then a few beyond them. */
export const candidatesOf = ({ wish, found }: Searched, { picks, open, isBeside }: Known): Candidate[] => {
  const most = Math.max(isBeside ? maxBeside : maxCandidates, picks.length)
  const [within = [], over = []] = [false, true].map(isBeyond =>
    found.filter(it => (gapOf(it.listing, wish) !== '') === isBeyond),
  )
  const beyond = over.slice(0, maxBeyond)
  const known = open ? joined(picks, [open]) : picks
  return joined(joined(known, within).slice(0, Math.max(most - beyond.length, picks.length)), beyond).slice(0, most)
}

/** Which candidates each search brought, by their numbers. */
export const toLooked = ({ looked }: Searched, candidates: Candidate[]): TurnQuestion['looked'] =>
  looked.map(({ query, list, before }) => {
    const numbers = candidates.flatMap((it, at) => (list.some(one => isSame(one, it)) ? [{ it, at }] : []))
    const fresh = numbers.filter(({ it }) => !before.some(one => isSame(one, it)))
    const found = numbers.length > 0 ? `Candidates ${numbers.map(({ at }) => at).join(', ')}.` : 'Nothing.'
    const isNew = fresh.length > 0 ? ` New: ${fresh.map(({ at }) => at).join(', ')}.` : ' None of them is new.'
    return { tool: 'search_offerings', query, found: numbers.length > 0 ? found + isNew : found }
  })

/** Several lists as one, the first of each before the second of any. */
const inTurn = (lists: Candidate[][]): Candidate[] => {
  const longest = Math.max(0, ...lists.map(it => it.length))
  const rows = Array.from({ length: longest }, (_, at) => lists.flatMap(it => it[at] ?? []))
  return rows.reduce<Candidate[]>(joined, [])
}

type Wanted = { text: string; wish: Understanding }

/** Offerings within the price that was said, and then those beyond it: the dear ones among many would push others out. */
const searchFor = async ({ findListings }: ButlerDeps, { chainId, target }: ButlerState, { text, wish }: Wanted) => {
  const want = { text, chainId: wish.chainId ?? chainId, maxPrice: undefined, agent: undefined }
  const agent = target ?? wish.agent
  const own = agent === undefined ? [] : await findListings({ ...want, agent })
  if (own.length > 0) return own
  const { maxPrice } = wish
  const within = maxPrice === undefined ? [] : [findListings({ ...want, maxPrice })]
  return (await Promise.all([...within, findListings(want)])).reduce(joined)
}

/** A candidate as a model sees it. */
export const toShown = ({ listing: it }: Candidate, wish: Understanding): TurnQuestion['candidates'][number] => ({
  name: it.name,
  agent: it.agentHandle,
  description: it.description,
  examples: it.examples ?? [],
  price: it.price,
  slaMinutes: it.slaMinutes,
  beyond: gapOf(it, wish),
  requirement: toForm(it.requirement),
})
