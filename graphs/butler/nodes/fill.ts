import { withoutFileMembers } from '../../../src/domain/files/fileMembers.ts'
import type { Json, JsonObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { gapIn, sayIn } from '../../../src/domain/phrases/sayIn.ts'
import type { Question } from '../../../src/domain/runs/question.ts'
import { type Field, fieldsOf } from '../../../src/domain/schemas/schema.ts'
import { takesPlainText, toForm } from '../../../src/domain/schemas/testInput.ts'
import { isMarkedIn } from '../../../src/language/filling/exact.ts'
import { findDates, toIso } from '../../../src/language/forms/dates.ts'
import { readingsOf } from '../../../src/language/text/readings.ts'
import { languageOf } from '../../../src/language/words/language.ts'
import { mergeValues } from '../call/merge.ts'
import type { ButlerDeps } from '../deps.ts'
import { leadOf, missingIn, type Readings, toGivenUpText, toQuestion, withoutWrong } from '../questions.ts'
import { speak } from '../speak.ts'
import type { ButlerState, Update } from '../state.ts'
import { filesFor } from '../turns/filesFor.ts'
import { sayUnread } from '../unread.ts'
import { inZone, wallClock } from '../zones.ts'

/** Fills the requirement's inputs from the user's own words, and finds inputs that are missing or ambiguous. */
export const fill =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { readListing, tell } = deps
    const { runId, said, turn, pick, input: known, open: unclear, target, timeZone: zone } = state
    const now = wallClock(deps.now(), zone)
    const listing = pick && (await readListing(pick.agentId, pick.offeringId))
    if (!listing) return { input: {}, questions: [], open: {} }
    const { requirement } = listing
    const form = toForm(requirement)
    // In lower case, the agent's name is part of the listing's own words. A capitalised name would count as a possible value.
    const files = await filesFor(deps, state, form)
    const about = {
      said,
      requirement: withoutFileMembers(requirement),
      listing: `${listing.name}\n${listing.description}\n${listing.agentName.toLowerCase()}`,
      now,
    }
    const rules = inZone(form, await deps.rules.fill({ ...about, ...toStep(state) }), { said, zone, now })
    const read = withModel(state, form, { rules, now })
    // A message to an agent that takes plain text is its input, unchanged.
    const called: Input = target && takesPlainText(requirement) ? { text: said.join('\n') } : {}
    const filled = takesPlainText(requirement) ? withEarlierText(state, read) : read
    const worded = { ...called, ...known, ...filled, ...decided(unclear, said.at(-1) ?? '') }
    const whole = ofFields(form, { ...worded, ...files.values })
    const open = readingsIn(worded, said)
    const input = withoutWrong(form, Object.fromEntries(Object.entries(whole).filter(([name]) => !open.has(name))))
    const missing = missingIn(form, input, open)
    // Somebody who answers one question at a time is asked on for the others.
    const before = Object.keys(input).some(name => !Object.hasOwn(known, name)) ? {} : state.asks
    const isTired = missing.some(it => (before[keyOf(listing, it)] ?? 0) >= maxAsks)
    if (isTired) return giveUp(deps, state, { listing, form, missing })
    const wanted = missing.slice(0, limits.questionsAtOnce)
    const { questions, lead } = await spoken(deps, state, {
      questions: wanted.map(it => files.ask(it.name) ?? toQuestion(form, it, { open, input })),
      lead: withUnread(state, leadOf(listing, files.named(input)), [
        listing.name,
        listing.description,
        ...wanted.map(it => it.name),
      ]),
    })
    if (questions.length > 0)
      await tell(runId, {
        kind: 'asked',
        summary: [lead, ...questions.map(it => it.words)].join(' '),
        data: { questions, offering: listing.name },
        key: `asked:${turn}`,
      })
    const asks = missing.map(it => {
      const key = keyOf(listing, it)
      return [key, (before[key] ?? 0) + (wanted.includes(it) ? 1 : 0)] as const
    })
    return { input, questions, lead, open: Object.fromEntries(open), asks: Object.fromEntries(asks) }
  }

/** Of a new task, the parts that nothing was read from are named with the first question. A model has read all of it. */
const withUnread = ({ act, said, called }: ButlerState, lead: string, own: string[]): string =>
  act === 'task' && said.length === 1 && !called
    ? [lead, sayUnread(said[0] ?? '', [lead, ...own])].filter(Boolean).join(' ')
    : lead

/** Characters of a message in which days are counted beside a model's. */
const datedChars = 4_000

/** The values of the rules, merged with those of the model's call where it spoke of this offering. */
const withModel = (
  { called, pick, said, input: known, language }: ButlerState,
  form: Requirement,
  { rules, now }: { rules: Input; now: number },
): Input => {
  const [meant] = called?.picks ?? []
  const isMeant =
    called?.tool === 'change_proposal' || (meant?.agentId === pick?.agentId && meant?.offeringId === pick?.offeringId)
  if (!called || !isMeant) return rules
  const { input: model, concluded, asks, tool } = called
  const isChange = tool === 'change_proposal' && Object.keys(known).length > 0
  const days = findDates((said.at(-1) ?? '').slice(0, datedChars), now).map(it => toIso(it.day))
  return mergeValues(form, { rules, model, known, isChange, concluded, asked: Object.keys(asks), language, days }, said)
}

/**
 * The text for an agent that takes plain text. A change of a text does not name all of it, so the agent gets the text before and
 * the change, each in the user's words. Words in another language are a text as a whole.
 */
const withEarlierText = ({ act, input: known, said, called }: ButlerState, read: Input): Input => {
  const newest = said.at(-1) ?? ''
  if (typeof called?.input.text === 'string') return read
  if (act === 'change' && typeof known.text === 'string' && !replacesText(newest, known.text, read.text))
    return { ...read, text: `${known.text}\n${newest}` }
  return read.text === undefined && languageOf(newest) !== 'en' ? { ...read, text: newest } : read
}

/** Whether a message gives the whole text anew: as material, by the name of the field, or with the words before in it. */
const replacesText = (message: string, before: string, read: Json | undefined): boolean =>
  typeof read === 'string' && (read.includes(before) || /^\s*(?:\{|text\s*[:=])/i.test(message) || isMarkedIn(read, message))

/** Nobody is asked for the same value more often. */
const maxAsks = 2
const keyOf = ({ agentId, id }: Listing, { name }: Field) => `${agentId} ${id} ${name}`

type Missing = { listing: Listing; form: Requirement; missing: Field[] }

/** Ends the run when the answers to two questions gave no valid value. The offering stays the one that is spoken of. */
const giveUp = async (deps: ButlerDeps, state: ButlerState, { listing, ...of }: Missing): Promise<Update> => {
  const { agentHandle: agent_handle, agentId: agent_id, id: offering_id, name, price } = listing
  const text = toGivenUpText(listing, { ...of, unpaid: await deps.unpaid(state.runId) })
  return {
    questions: [],
    asks: {},
    stage: 'none',
    act: 'none',
    to: 'reply',
    next: [],
    choices: [{ agent_handle, agent_id, offering_id, name, price }],
    content: await speak(deps, state, { key: 'given-up', text }),
  }
}

type Asked = { questions: Question[]; lead: string }

/** The questions in the language of the user; their forms stay as the provider wrote them. */
const spoken = async (deps: ButlerDeps, state: ButlerState, { questions, lead }: Asked): Promise<Asked> => {
  if (questions.length === 0) return { questions, lead: '' }
  const { words: own = '', asks = {} } = state.called ?? {}
  // What the model asked in the user's language, in the same call, is said as it is.
  const rest = questions.filter(it => !asks[it.field])
  if (rest.length === 0) {
    const { text } = sayIn(lead, state.language)
    return { lead: [own, text].filter(Boolean).join(gapIn(state.language)), questions: withAsks(questions, asks) }
  }
  const text = [lead, ...rest.map(it => it.words)].map(it => it.replaceAll('\n', ' ')).join('\n')
  const said = await speak(deps, state, { key: 'asked', text })
  const [first = lead, ...words] = said === text ? [lead, ...rest.map(it => it.words)] : said.split('\n')
  const spokenRest = Object.fromEntries(rest.map((it, at) => [it.field, words[at] ?? it.words]))
  return {
    lead: [own, first].filter(Boolean).join(gapIn(state.language)),
    questions: withAsks(questions, { ...asks, ...spokenRest }),
  }
}

/** Tells the model how to read the newest message: as the request, an answer to questions, or a change of known inputs. */
const toStep = ({ act, said, input, questions, isAmended }: ButlerState) => {
  const text = said.at(-1) ?? ''
  if (questions.length > 0 && act !== 'task') return { text, known: input, asked: { fields: questions.map(it => it.field) } }
  if ((act === 'change' || isAmended) && Object.keys(input).length > 0) return { text, known: input }
  return {}
}

/** Questions in the words of a model, where it has asked. */
export const withAsks = (questions: Question[], asks: Record<string, string>): Question[] =>
  questions.map(it => ({ ...it, words: asks[it.field] || it.words }))

type Requirement = JsonObject
type Input = ButlerState['input']
const namesOf = (requirement: Requirement) => (takesPlainText(requirement) ? ['text'] : fieldsOf(requirement).map(it => it.name))

// Returns the known inputs in schema order, without fields that the offering has removed since.
const ofFields = (requirement: Requirement, known: Input): Input =>
  Object.fromEntries(
    namesOf(requirement).flatMap(name => (Object.hasOwn(known, name) ? [[name, known[name] ?? null] as const] : [])),
  )

/** Returns the readings of ambiguous inputs that the user's answer names. */
const decided = (asked: ButlerState['open'], answer: string): Input =>
  Object.fromEntries(
    Object.entries(asked).flatMap(([name, readings]) => {
      const [only, ...more] = readings.filter(it => answer.toLowerCase().includes(it.toLowerCase()))
      return only !== undefined && more.length === 0 ? [[name, only] as const] : []
    }),
  )

const readingsIn = (input: Input, said: string[]): Readings =>
  new Map(
    Object.entries(input).flatMap(([name, value]) => {
      const readings = readingsOf(value, said)
      return readings ? [[name, readings] as const] : []
    }),
  )
