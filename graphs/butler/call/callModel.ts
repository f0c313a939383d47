import { limits } from '../../../src/domain/limits.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'
import type { Situation } from '../../../src/domain/runs/acts.ts'
import { toForm } from '../../../src/domain/schemas/testInput.ts'
import { toOwnWords } from '../../../src/domain/text/ownWords.ts'
import { toSpoken } from '../../../src/domain/text/quotableText.ts'
import { tellLanguage } from '../../../src/language/words/language.ts'
import type { TurnAnswer, TurnOpen, TurnQuestion, TurnTalk, Understanding } from '../../../src/ports.ts'
import type { ButlerDeps, Candidate, Recalled } from '../deps.ts'
import { asked } from '../metered.ts'
import type { ButlerState } from '../state.ts'
import { candidatesOf, searchAgain, searchFirst, toLooked, toShown } from './searches.ts'
import { createTelling } from './telling.ts'

/** How often a model may look something up in one turn. Each is a round trip. */
const maxLooks = 2
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
  /** What the message asks for, with the limits that the model read in its searches. */
  wish: Understanding
  timeZone: string | undefined
  /** What the message quotes, and what puts it back in place of its marks. */
  material: string[]
  restore(text: string): string
}

/**
 * Asks the model about a message, in one call in most cases: code has searched before, and the model may look something up
 * twice. Undefined where the model gave no usable answer in time.
 */
export const callModel = async (deps: ButlerDeps, state: ButlerState, heard: Heard): Promise<Shown | undefined> => {
  const { runId, turn } = state
  const { restore, text, material } = toOwnWords(toSpoken(heard.text, limits.messageChars))
  const place = { state, said: heard.text, zone: heard.recalled.timeZone }
  const [talk, last, steps, picks, first] = await Promise.all([
    readTalk(deps, runId, heard),
    readOpen(deps, state, heard.recalled),
    readSteps(deps, state),
    readPicks(deps, state, heard.recalled),
    searchFirst(deps, place, heard.wish),
  ])
  const open = last?.open
  let searched = first
  let results = talk.deliverable ?? ''
  const read: TurnQuestion['looked'] = []
  for (let looks = 0; ; looks += 1) {
    const isBeside = (state.stage === 'ask' || state.stage === 'proposal') && looks === 0
    const candidates = candidatesOf(searched, { picks, open: last?.candidate, isBeside })
    const { situation, until, recalled } = heard
    const { timeZone } = recalled
    const question: TurnQuestion = {
      ...{ now: deps.now(), timeZone, text, texts: material, situation, talk, open, steps, shown: picks.length },
      candidates: candidates.map(it => toShown(it, searched.wish)),
      looked: [...read, ...toLooked(searched, candidates)],
    }
    const shown = { candidates, shown: picks.length, talk, open, steps, results, timeZone, material, restore }
    const key = `turn:${turn}${looks > 0 ? `:${looks}` : ''}`
    const beside = { ...besideOf(shown, text), language: tellLanguage(text) ?? (state.language || 'en') }
    const telling = createTelling(deps, { runId, key: `words:${key}`, beside })
    const answer = await asked(deps, { runId, key, until, instead: undefined }, asking =>
      deps.model.turn(question, { ...asking, hear: telling.hear }),
    )
    await telling.told()
    if (!answer) return undefined
    const searches = answer.calls.filter(it => it.tool === 'search_offerings')
    const reads = answer.calls.find(it => it.tool === 'read_deliverable')
    if ((searches.length === 0 && !reads) || looks >= maxLooks)
      return { ...shown, answer, query: searched.query, wish: searched.wish }
    if (reads) {
      const found = talk.jobs[reads.job]?.deliverable ?? talk.deliverable ?? ''
      read.push({ tool: reads.tool, query: '', found })
      results = `${results}\n${found}`
    }
    searched = await searchAgain(deps, place, { ...searched, calls: searches })
  }
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
): Promise<{ open: TurnOpen; candidate: Candidate } | undefined> => {
  const isOpen = stage === 'ask' || stage === 'proposal'
  const of = isOpen ? pick : stage === 'none' ? before : undefined
  const listing = of && (await readListing(of.agentId, of.offeringId))
  if (!listing) return undefined
  const asked = stage === 'ask' ? questions.map(it => it.words) : []
  const known = isOpen ? input : (before?.input ?? {})
  const open = { ...toOpen(listing), price: proposal?.total ?? listing.price, input: known, questions: asked }
  return { open, candidate: { listing, coverage: 1 } }
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

/** What the words of a model may repeat of a turn, and what they may not: what a message quotes is no word of its user. */
export const besideOf = (
  {
    candidates,
    talk,
    open,
    steps,
    results,
    material,
  }: Omit<Shown, 'answer' | 'query' | 'wish' | 'restore' | 'shown' | 'timeZone'>,
  text: string,
) => ({
  said: [toOwnWords(text).text, ...talk.messages.flatMap(it => (it.by === 'user' ? [it.text] : []))].join('\n'),
  strangers: [
    ...candidates.flatMap(({ listing: it }) => [it.name, it.description, ...(it.examples ?? [])]),
    ...[...(open ? [open] : []), ...steps].flatMap(it => [it.name, it.description]),
    results,
    ...material,
  ],
  results,
})
