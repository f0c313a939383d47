import { fileMembersOf } from '../../../src/domain/files/fileMembers.ts'
import { namesKind } from '../../../src/domain/files/fileTypes.ts'
import type { GivenFile } from '../../../src/domain/files/namedFile.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'
import type { Reference } from '../../../src/domain/plans/planStates.ts'
import { isGuarded, memberOf, referenceFor } from '../../../src/domain/plans/references.ts'
import type { Field } from '../../../src/domain/schemas/schema.ts'
import { takesPlainText, toForm } from '../../../src/domain/schemas/testInput.ts'
import type { ButlerDeps } from '../deps.ts'
import { fill, withAsks } from '../nodes/fill.ts'
import { leftOutOf } from '../nodes/propose.ts'
import { missingIn, toQuestion } from '../questions.ts'
import type { ButlerState, Draft } from '../state.ts'
import { after, toTaskDeps, toTaskState } from './taskState.ts'

/** An earlier task whose result a later one may take: the number of its step, its words and the schema of its result. */
type Source = { number: number; words: string; deliverable: JsonObject }
export type Sources = ReadonlyMap<number, Source>

type Filled = { filled: Draft[]; sources: Sources }

/** Fills the inputs of all drafts, in their order: a later one may take the result of an earlier one. */
export const fillDrafts = async (deps: ButlerDeps, state: ButlerState, drafts: Draft[]): Promise<Filled> => {
  const sources = new Map<number, Source>()
  const filled: Draft[] = []
  for (const draft of drafts) {
    const { pick } = draft
    const listing = pick && (await deps.readListing(pick.agentId, pick.offeringId))
    if (listing) filled.push(await fillOne(deps, state, { draft, listing, sources }))
    else if (draft.purchase) filled.push(draft)
    else throw new RangeError('a task without an offering')
    // Of a task with several calls, the last result is taken. The answer of a seller is a text.
    const { name = '', deliverable = {} } = listing ?? {}
    sources.set(draft.at, { number: filled.length, words: `${draft.words} ${name}`, deliverable })
  }
  return { filled, sources }
}

type Filling = { draft: Draft; listing: Listing; sources: Sources }

export const fillOne = async (deps: ButlerDeps, state: ButlerState, given: Filling): Promise<Draft> => {
  const of = withFileTakes(given, state.files)
  const { draft, listing, sources } = of
  const own = withRead(toTaskDeps(deps, draft.at), draft)
  const task = await toTaskState(deps, state, draft)
  const { pick, values, questions, open, asks } = draft
  const before = after(task, { pick, input: values, questions, open, asks, act: actOf(draft) })
  const update = after(before, await fill(own)(before))
  const form = toForm(listing.requirement)
  // A value that only names an earlier result, such as “that summary”, is none.
  const isFirst = actOf(draft) === 'task'
  const said = withoutTaken(isFirst ? { ...update.input, ...values } : update.input, of)
  const missing = missingIn(form, said, new Map(Object.entries(update.open)))
  const references = toReferences({ draft, listing, sources }, missing)
  const asked = missing.filter(it => references[it.name] === undefined)
  const known = Object.fromEntries(Object.entries(said).filter(([name]) => references[name] === undefined))
  const wanted = asked.slice(0, limits.questionsAtOnce)
  const next: Draft = {
    ...draft,
    said: before.said,
    values: known,
    references,
    isChanged: false,
    open: update.open,
    asks: update.asks,
    questions: withAsks(
      wanted.map(it => toQuestion(form, it, { open: new Map(Object.entries(update.open)), input: known })),
      draft.called?.asks ?? {},
    ),
  }
  const leftOut = wanted.length > 0 ? [] : await leftOutOf(deps, after(before, { input: known }), listing)
  return { ...next, leftOut: leftOut.filter(it => !draft.takes.some(take => isIn(take.words, it) || isIn(it, take.words))) }
}

/** The input that was read with those of the other tasks is filled in, until it is answered or changed. */
const withRead = (deps: ButlerDeps, draft: Draft): ButlerDeps => {
  const { read } = draft
  return read === undefined || actOf(draft) !== 'task' ? deps : { ...deps, rules: { ...deps.rules, fill: async () => read } }
}

const actOf = ({ questions, isChanged }: Draft) => (questions.length > 0 ? 'answer' : isChanged ? 'change' : 'task')

const toReferences = ({ draft, listing, sources }: Filling, missing: Field[]): Record<string, Reference> => {
  const { requirement } = listing
  const references: Record<string, Reference> = {}
  const isPlain = takesPlainText(requirement)
  for (const take of draft.takes) {
    const source = sources.get(take.from)
    if (!source) continue
    const from = { number: source.number, task: source.words, deliverable: source.deliverable }
    const fitting = (name: string) => referenceFor({ requirement, member: name, words: take.words, from })
    const free = isPlain ? ['text'] : missing.map(it => it.name).filter(it => references[it] === undefined)
    // Where a result goes, or what is visited, is asked.
    const member = free.find(it => (isPlain || !isGuarded(it, memberOf(requirement, it))) && fitting(it))
    const reference = member === undefined ? undefined : fitting(member)
    if (member === undefined || !reference) continue
    references[member] = isPlain ? { ...reference, before: draft.said.join('\n') || draft.words } : reference
  }
  return references
}

const toWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const isIn = (part: string, text: string): boolean => {
  const words = toWords(part).join(' ')
  return words !== '' && ` ${toWords(text).join(' ')} `.includes(` ${words} `)
}

/** A value of at most this many words that contains a pronoun is no value. */
const fewWords = 4

const namedThing = /(?<!\p{L})(?:the|this|that|these|those)\s+\p{L}{3,}/giu

/** Takes a file by its kind: "that text", where an earlier task delivers a text, and the user gave none. */
const withFileTakes = (of: Filling, given: readonly GivenFile[]): Filling => {
  const { draft, sources } = of
  const takes = (draft.words.match(namedThing) ?? []).flatMap(words => {
    if (draft.takes.some(it => it.words === words) || given.some(it => namesKind(words, it.mediaType))) return []
    const source = [...sources].findLast(([, { deliverable }]) =>
      fileMembersOf(deliverable).some(it => namesKind(words, it.mediaType)),
    )
    return source ? [{ from: source[0], words }] : []
  })
  return takes.length === 0 ? of : { ...of, draft: { ...draft, takes: [...draft.takes, ...takes] } }
}

/** Words for a file without its kind. */
const anyFile = /^(?:it|that|this|them|those|these|(?:the|that|this) (?:files?|results?|output))$/i

/** The file members for which the words take the file of an earlier task, and none that the user gave. */
const takenFiles = ({ draft, listing: { requirement }, sources }: Filling): string[] =>
  fileMembersOf(requirement).flatMap(({ name, mediaType }) => {
    const isTaken = draft.takes.some(({ from: at, words }) => {
      const { number, words: task, deliverable } = sources.get(at) ?? {}
      if (number === undefined || task === undefined || !deliverable) return false
      const isMeant = mediaType.split(',').some(it => namesKind(words, it.trim())) || anyFile.test(words.trim())
      const from = { number, task, deliverable }
      return isMeant && referenceFor({ requirement, member: name, words, from }) !== undefined
    })
    return isTaken ? [name] : []
  })

/** The values without those that stand for an earlier result. */
const withoutTaken = (values: JsonObject, of: Filling): JsonObject => {
  const files = takenFiles(of)
  const { takes } = of.draft
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      if (files.includes(name)) return false
      if (typeof value !== 'string') return true
      return !takes.some(it => isIn(it.words, value) && (toWords(it.words).length > 1 || toWords(value).length <= fewWords))
    }),
  )
}
