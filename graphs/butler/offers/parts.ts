import { fillRequest } from '../../../src/language/filling/fillRequest.ts'
import { splitConnectors } from '../../../src/language/tasks/connectors.ts'
import { findCoordinations, withMember } from '../../../src/language/tasks/coordinations.ts'
import { onlyTells } from '../../../src/language/tasks/readTasks.ts'
import { toClauses, toSentences } from '../../../src/language/tasks/sentences.ts'
import { findMaterial } from '../../../src/language/text/marked.ts'
import { toSearched } from '../../../src/language/text/searched.ts'
import { createOwnWords, isDeed, isEmpty } from '../../../src/language/words/vocabulary.ts'
import { splitWords } from '../../../src/language/words/words.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Draft } from '../state.ts'
import { isSame as isSameRef, pointAt } from './point.ts'
import { newDraft, type Ref, toOthers } from './several.ts'
import { toOffering } from './toOffering.ts'

// Cuts a task whose sentences, clauses or joined words ask for different offerings: each part must be sure of its offering and have
// all of its inputs.

/** A longer task is a text with a request. */
const mostSentences = 16

/** Sentences that follow each other and ask for one offering. */
type Part = { words: string[]; draft: Draft }
type Found = { draft: Draft; isSure: boolean }

/** Whether two drafts have one offering. */
export const isSameOffering = (a: Draft, b: Draft): boolean =>
  a.pick !== undefined && b.pick !== undefined && isSameRef(a.pick, b.pick)

/** The parts of sentences in order. A sentence that is sure of nothing goes with the one before, or, after "then", the next. */
const toParts = (found: readonly Found[]): Part[] => {
  const parts: Part[] = []
  let waiting: string[] = []
  for (const { draft, isSure } of found) {
    const last = parts.at(-1)
    const words = [...waiting, draft.words]
    const isNext = waiting.length > 0 || !last || splitConnectors(draft.words).lead !== ''
    if (!isSure && isNext) waiting = words
    else if (last && (!isSure || isSameOffering(last.draft, draft))) last.words.push(...words)
    else parts.push({ words, draft })
    if (isSure) waiting = []
  }
  parts.at(-1)?.words.push(...waiting)
  return parts
}

/**
 * The input of an offering as words give it. `isNamed`: they name the offering and say nothing else; "a password" asks for one.
 */
export const readFor = async ({ readListing, now }: ButlerDeps, { pick }: Draft, words: string) => {
  const listing = pick && (await readListing(pick.agentId, pick.offeringId))
  if (!listing) return undefined
  const { requirement, listing: about } = toOffering(listing)
  const { missing, typed, values } = fillRequest({ text: words, requirement, listing: about, now: now() })
  const said = splitWords(words).filter(it => !isEmpty(it) && !isDeed(it))
  const isNamed = said.length > 0 && said.every(createOwnWords(listing.name))
  return { values, typed, isWhole: missing.length === 0, isNamed }
}

/** Words with which a sentence asks for something. Others only tell what another sentence needs. */
const asking = /\?\s*$|(?<!\p{L})(?:want|like|need|wonder(?:ing)?|curious|interested|looking|please)(?!\p{L})/iu

/** Whether a part gives its offering all that it requires, or asks for it and gives some of that. */
const stands = async (deps: ButlerDeps, draft: Draft, words: readonly string[]): Promise<boolean> => {
  const found = await readFor(deps, draft, words.join(' '))
  if (found === undefined || found.typed === 0) return found?.isWhole === true && found.isNamed
  return found.isWhole || words.some(it => asking.test(it))
}

/** The parts that stand alone; the words of every other one go with the part before, else with the next one. */
const standing = async (deps: ButlerDeps, parts: readonly Part[]): Promise<Part[]> => {
  const kept: Part[] = []
  let waiting: string[] = []
  for (const part of parts) {
    const words = [...waiting, ...part.words]
    const last = kept.at(-1)
    const isOwn = await stands(deps, part.draft, words)
    if (isOwn && !(last && isSameOffering(last.draft, part.draft))) kept.push({ ...part, words })
    else if (last) last.words.push(...words)
    waiting = isOwn || last ? [] : words
  }
  kept.at(-1)?.words.push(...waiting)
  return kept
}

/** Which of some offerings words mean, without a search. */
const findAmong = async (deps: ButlerDeps, state: ButlerState, { task, refs }: Of): Promise<Found> => {
  const draft = newDraft(0, { words: task })
  const asked = Object.assign({}, state, { task, want: toSearched(task), called: undefined, agent: undefined })
  const { chosen, decision, reason, several, near = [] } = await pointAt(deps, asked, { refs, beyond: [] })
  if (!chosen || decision !== 'propose') return { draft, isSure: false }
  const likely = [...several, ...near].map(it => it.ref)
  return { draft: { ...draft, pick: chosen.ref, reason, others: toOthers(likely, chosen.ref) }, isSure: true }
}

type Of = { task: string; refs: Ref[] }

/** Joined words that are tried, and the offerings that one sentence asks for. */
const mostJoined = 4

/** The drafts of joined words that ask for different offerings of one object: "the area and the perimeter of a circle". */
const toJoinedDrafts = async (deps: ButlerDeps, state: ButlerState, { task, refs }: Of): Promise<Draft[]> => {
  const joined = findCoordinations(task).filter(it => it.length <= mostJoined)
  for (const members of joined.slice(0, mostJoined)) {
    const words = members.map((_, at) => withMember(task, members, at))
    const found = await Promise.all(words.map(it => findAmong(deps, state, { task: it, refs })))
    const isEach = found.every(({ draft }, at) => found.every((one, place) => place === at || !isSameOffering(one.draft, draft)))
    if (!isEach || !found.every(it => it.isSure)) continue
    const given = await Promise.all(found.map(({ draft }, at) => stands(deps, draft, [words[at] ?? ''])))
    if (given.every(Boolean)) return found.map(({ draft }, at) => ({ ...draft, at }))
  }
  return []
}

/**
 * The drafts of the parts of a task, each with its offering; none where all of it asks for one offering.
 * @param refs the offerings that the whole task may mean
 */
export const toPartDrafts = async (deps: ButlerDeps, state: ButlerState, { task, refs }: Of): Promise<Draft[]> => {
  const { mark, start } = findMaterial(task) ?? {}
  // "A, b, and count the words of this: …" has its material in the last clause.
  const isLast = mark === 'quotation' || (mark === 'colon' && toClauses(task.slice(0, start)).length > 1)
  if (refs.length < 2 || (mark !== undefined && !isLast)) return []
  const find = async (words: string): Promise<Found> =>
    onlyTells(words) ? { draft: newDraft(0, { words }), isSure: false } : findAmong(deps, state, { task: words, refs })
  for (const cut of [toSentences(task), toClauses(task)]) {
    if (cut.length > mostSentences) return []
    const parts = cut.length < 2 ? [] : toParts(await Promise.all(cut.map(find)))
    const kept = parts.length < 2 ? [] : await standing(deps, parts)
    if (kept.length > 1) return kept.map(({ words, draft }, at) => ({ ...draft, at, words: words.join(' ') }))
  }
  return toJoinedDrafts(deps, state, { task, refs })
}
