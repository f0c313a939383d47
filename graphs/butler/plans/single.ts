import { toUnplannedText } from '../../../src/domain/plans/planText.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Draft, Update } from '../state.ts'
import { fillOne } from './fillDraft.ts'
import { limitOfAll } from './limitOfAll.ts'
import { toPlain } from './plainWords.ts'
import { asPurchase } from './purchases.ts'
import { toTaskState } from './taskState.ts'

const noPlan = {
  drafts: [],
  planned: undefined,
  questions: [],
  act: 'task',
  stage: 'none',
  to: 'search',
  called: undefined,
  asked: true,
} satisfies Update

/** The whole message as one task, where nobody does a part of it alone. */
export const asWhole = async (deps: ButlerDeps, state: ButlerState, draft: Draft): Promise<Update> => {
  const words = state.said.at(-1) ?? draft.words
  return { ...(await toSearch(deps, state, { ...draft, words, said: [] })), ...noPlan, unplanned: [] }
}

type Single = { draft: Draft; unplanned: string[] }

/**
 * The only task that somebody does becomes a hire as any other, and says what nobody does. What the message says besides may be
 * material for it, or a limit: then the whole message is the task.
 */
export const asSingle = async (deps: ButlerDeps, state: ButlerState, { draft, unplanned }: Single): Promise<Update> => {
  const { pick, resource } = draft
  if (resource) return { ...noPlan, ...(await asPurchase(deps, state, { ...draft, resource })), unplanned, notice: state.notice }
  const listing = pick && (await deps.readListing(pick.agentId, pick.offeringId))
  const words = state.said.at(-1) ?? draft.words
  const whole = { ...draft, words, said: [], values: {}, takes: [], read: undefined }
  const filled = listing && (await fillOne(deps, state, { draft: whole, listing, sources: new Map() }))
  const sent = toPlain(JSON.stringify(Object.values(filled?.values ?? {})))
  const limits = await Promise.all(unplanned.map(async it => (await deps.rules.understand(it)).maxPrice !== undefined))
  const left = unplanned.filter((it, at) => !limits[at] && !sent.includes(toPlain(it)))
  const own = left.length < unplanned.length ? whole : draft
  const notice = [state.notice, toUnplannedText(left)].filter(Boolean).join('\n')
  const task = await toSearch(deps, state, own)
  // A limit that the message states for all of its tasks holds for the only one, too.
  const maxPrice = task.maxPrice ?? (await limitOfAll(deps, state, [draft]))
  return { ...task, maxPrice, ...noPlan, called: calledFor(state, draft), unplanned: left, notice }
}

/** What a model read for this task alone, now or when the plan was made. Without a model its words are read again. */
const calledFor = ({ called }: ButlerState, { called: own, pick, values }: Draft): ButlerState['called'] => {
  if (!called || (!own && Object.keys(values).length === 0)) return undefined
  const known = { tool: 'propose_hire' as const, picks: pick ? [pick] : [], input: values, concluded: [], evidence: [], asks: {} }
  return { ...called, ...(own ?? known), query: '', isNone: false, several: [] }
}

const toSearch = async (deps: ButlerDeps, state: ButlerState, draft: Draft): Promise<Update> => {
  const { said, task, want, maxPrice, agent, withinMinutes, category } = await toTaskState(deps, state, draft)
  return { said, task, want, maxPrice, agent, withinMinutes, category }
}
