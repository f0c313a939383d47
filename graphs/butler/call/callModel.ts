import { limits } from '../../../src/domain/limits.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'
import type { Situation } from '../../../src/domain/runs/acts.ts'
import { toForm } from '../../../src/domain/schemas/plainInput.ts'
import { toOwnWords } from '../../../src/domain/text/ownWords.ts'
import { toQuotable, toSpoken } from '../../../src/domain/text/quotableText.ts'
import { tellLanguage } from '../../../src/language/words/language.ts'
import type { TurnAnswer, TurnOpen, TurnQuestion, TurnTalk, Understanding } from '../../../src/ports.ts'
import type { ButlerDeps, Candidate, Recalled } from '../deps.ts'
import { asked } from '../metered.ts'
import { joined } from '../offers/candidates.ts'
import type { ButlerState } from '../state.ts'
import { createTelling } from './telling.ts'

/** Candidates that a model sees. Beside an open question or proposal few are, because most messages are about what is open. */
const maxCandidates = 8
const maxBeside = 4
/** How often a model may look something up in one turn. Each is a round trip. */
const maxLooks = 2
/** Searches of one look: one for each task of a message. */
const maxSearches = 4
const queryChars = 500

/** A message with its situation. `wish`: its limits, as the rules read them. `isTask`: the rules are sure that it is a task. */
export type Heard = {
  text: string
  situation: Situation
  recalled: Recalled
  wish: Understanding
  isTask: boolean
  until: number
}

/** The answer of a model to one turn, with what it was shown. `shown`: how many candidates the user was shown to pick from. */
export type Shown = {
  answer: TurnAnswer
  candidates: Candidate[]
  shown: number
  talk: TurnTalk
  open: TurnOpen | undefined
  /** The steps of the open plan. */
  steps: TurnOpen[]
  /** The deliverables that it was shown, so that nothing may be bought unasked. */
  results: string
  query: string
  restore(text: string): string
}

/**
 * Asks the model about a message, in one call in most cases: code has searched before, and the model may look something up
 * twice. Undefined where the model gave no usable answer in time.
 */
export const callModel = async (deps: ButlerDeps, state: ButlerState, heard: Heard): Promise<Shown | undefined> => {
  const { runId, turn } = state
  const { restore, text } = toOwnWords(toSpoken(heard.text, limits.messageChars))
  const [talk, open, steps, picks, first] = await Promise.all([
    readTalk(deps, runId, heard),
    readOpen(deps, state, heard.recalled),
    readSteps(deps, state),
    readPicks(deps, state, heard.recalled),
    searchFor(deps, state, { text: heard.text, wish: heard.wish }),
  ])
  let found = first
  let results = talk.deliverable ?? ''
  let query = ''
  const looked: TurnQuestion['looked'] = []
  for (let looks = 0; ; looks += 1) {
    const isBeside = (state.stage === 'ask' || state.stage === 'proposal') && looks === 0
    const most = isBeside ? maxBeside : maxCandidates
    const candidates = joined(picks, found).slice(0, Math.max(most, picks.length))
    const { situation, until } = heard
    const question: TurnQuestion = {
      now: deps.now(),
      text,
      situation,
      talk,
      open,
      steps,
      looked,
      shown: picks.length,
      candidates: candidates.map(toShown),
    }
    const of = { runId, key: `turn:${turn}${looks > 0 ? `:${looks}` : ''}`, until }
    const beside = {
      ...besideOf({ candidates, talk, open, steps, results }, heard.text),
      language: tellLanguage(heard.text) ?? (state.language || 'en'),
    }
    const telling = createTelling(deps, { runId, key: `words:${of.key}`, beside })
    const answer = await asked(deps, { ...of, instead: undefined }, asking =>
      deps.model.turn(question, { ...asking, hear: telling.hear }),
    )
    await telling.told()
    if (!answer) return undefined
    const searches = answer.calls.filter(it => it.tool === 'search_offerings').slice(0, maxSearches)
    const read = answer.calls.find(it => it.tool === 'read_deliverable')
    if ((searches.length === 0 && !read) || looks >= maxLooks)
      return { answer, candidates, shown: picks.length, talk, open, steps, results, query, restore }
    if (read) {
      const found = talk.jobs[read.job]?.deliverable ?? talk.deliverable ?? ''
      looked.push({ tool: read.tool, query: '', found })
      results = `${results}\n${found}`
    }
    const queries = searches.map(it => toQuotable(it.query, queryChars))
    const lists = await Promise.all(queries.map(it => searchFor(deps, state, { text: it, wish: heard.wish })))
    looked.push(...lists.map((it, at) => toLooked(queries[at] ?? '', it, found)))
    query = queries[0] ?? query
    found = joined(inTurn(lists), found)
  }
}

/** What a search brought that was not shown before. */
const toLooked = (query: string, list: Candidate[], before: Candidate[]): TurnQuestion['looked'][number] => {
  const fresh = joined(before, list).length - before.length
  return {
    tool: 'search_offerings',
    query,
    found: fresh > 0 ? `${fresh} new offerings; the first are among the candidates.` : 'Nothing new.',
  }
}

/** Several lists as one, the first of each before the second of any. */
const inTurn = (lists: Candidate[][]): Candidate[] => {
  const longest = Math.max(0, ...lists.map(it => it.length))
  const rows = Array.from({ length: longest }, (_, at) => lists.flatMap(it => it[at] ?? []))
  return rows.reduce<Candidate[]>(joined, [])
}

/** The talk without material that was quoted. A deliverable, a stranger's text, is shown where the message may be about it. */
const readTalk = async (deps: ButlerDeps, runId: string, { isTask }: Heard): Promise<TurnTalk> => {
  const { deliverable, messages, jobs } = await deps.readTalk(runId)
  const own = messages.map(it => ({ ...it, text: it.by === 'user' ? toOwnWords(it.text).text : firstLine(it.text) }))
  return { messages: own, jobs, ...(deliverable !== undefined && !isTask && { deliverable }) }
}

/** What the butler said without the terms, the input and the deliverable below it. */
const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

/** The offering whose question or proposal is open, or else that of the last hire, which a message may want again. */
const readOpen = async (
  { readListing }: ButlerDeps,
  { stage, pick, input, proposal, questions }: ButlerState,
  { before }: Recalled,
): Promise<TurnOpen | undefined> => {
  const isOpen = stage === 'ask' || stage === 'proposal'
  const of = isOpen ? pick : stage === 'none' ? before : undefined
  const listing = of && (await readListing(of.agentId, of.offeringId))
  if (!listing) return undefined
  const asked = stage === 'ask' ? questions.map(it => it.words) : []
  const known = isOpen ? input : (before?.input ?? {})
  return { ...toOpen(listing), price: proposal?.total ?? listing.price, input: known, questions: asked }
}

const toOpen = ({ name, agentHandle: agent, description, price, slaMinutes, requirement }: Listing) => ({
  ...{ name, agent, description, price, slaMinutes, requirement: toForm(requirement) },
})

/** The steps of the plan that is proposed or asks. */
const readSteps = async ({ readListing }: ButlerDeps, { stage, drafts }: ButlerState): Promise<TurnOpen[]> => {
  if (drafts.length === 0 || (stage !== 'ask' && stage !== 'proposal')) return []
  const read = drafts.map(async ({ pick, values: input, questions }): Promise<TurnOpen | undefined> => {
    const listing = pick && (await readListing(pick.agentId, pick.offeringId))
    return listing && { ...toOpen(listing), input, questions: questions.map(it => it.words) }
  })
  const steps = (await Promise.all(read)).flatMap(it => it ?? [])
  return steps.length === drafts.length ? steps : []
}

/** The offerings that the user was shown to pick from. */
const readPicks = async (deps: ButlerDeps, state: ButlerState, { offers }: Recalled): Promise<Candidate[]> => {
  const { stage, choices } = state
  const shown = stage === 'choices' ? choices : stage === 'none' ? offers : []
  const read = await Promise.all(shown.map(it => deps.readListing(it.agent_id, it.offering_id)))
  return read.flatMap(listing => (listing ? [{ listing, coverage: 1 }] : []))
}

type Wanted = { text: string; wish: Understanding }
const searchFor = async ({ findListings }: ButlerDeps, { chainId, target }: ButlerState, { text, wish }: Wanted) => {
  const want = { text, chainId: wish.chainId ?? chainId, maxPrice: wish.maxPrice }
  const agent = target ?? wish.agent
  const own = agent === undefined ? [] : await findListings({ ...want, maxPrice: undefined, agent })
  return own.length > 0 ? own : findListings({ ...want, agent: undefined })
}

const toShown = ({ listing: it }: Candidate): TurnQuestion['candidates'][number] => ({
  name: it.name,
  agent: it.agentHandle,
  description: it.description,
  examples: it.examples ?? [],
  price: it.price,
  slaMinutes: it.slaMinutes,
  requirement: toForm(it.requirement),
})

/** What the words of a model may repeat of a turn, and what they may not. */
export const besideOf = (
  { candidates, talk, open, steps, results }: Pick<Shown, 'candidates' | 'talk' | 'open' | 'steps' | 'results'>,
  text: string,
) => ({
  said: [text, ...talk.messages.flatMap(it => (it.by === 'user' ? [it.text] : []))].join('\n'),
  strangers: [
    ...candidates.flatMap(({ listing: it }) => [it.name, it.description, ...(it.examples ?? [])]),
    ...[...(open ? [open] : []), ...steps].flatMap(it => [it.name, it.description]),
    results,
  ],
  results,
})
