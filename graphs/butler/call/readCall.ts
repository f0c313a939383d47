import { maxWishes } from '../../../src/domain/jobs/acceptance.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { type Act, canBeMeant, type Situation } from '../../../src/domain/runs/acts.ts'
import { actOfCall, nothingFits, smallTalk, type TurnCall } from '../../../src/domain/runs/turnCall.ts'
import { fieldsOf } from '../../../src/domain/schemas/schema.ts'
import { takesPlainText, toForm } from '../../../src/domain/schemas/testInput.ts'
import { toOwnWords } from '../../../src/domain/text/ownWords.ts'
import { toQuotable } from '../../../src/domain/text/quotableText.ts'
import { languageOf } from '../../../src/language/words/language.ts'
import type { Slots, TurnOpen, TurnReading, Understanding } from '../../../src/ports.ts'
import type { Candidate } from '../deps.ts'
import type { ButlerState, Called, CalledPart } from '../state.ts'
import { keepAsks } from './asks.ts'
import { besideOf, type Shown } from './callModel.ts'
import { mergeAct, mergeLimits } from './merge.ts'
import { keepSentences } from './sentences.ts'
import { checkValues, type Values } from './values.ts'

type Rules = { reading: TurnReading; wish: Understanding; situation: Situation; text: string; by: string; now: number }

/** A turn as both readers read it, with what of the model's call the later nodes use. */
export type Read = { reading: TurnReading; called: Called }

/**
 * Reads the answer of a model to a turn. Everything in it is checked: candidates were shown, values and limits were said, words
 * tell nothing that only code knows.
 */
export const readCall = (state: ButlerState, shown: Shown, rules: Rules): Read => {
  const [call, ...more] = shown.answer.calls
  if (!call) return { reading: rules.reading, called: empty }
  const { text, now } = rules
  const language = languageOfCall(call, text)
  const place: Place = { state, shown, situation: rules.situation, text, language }
  const picks = picksOf(call, shown)
  const [first] = picks
  const act = actIn(call, picks, place)
  const slots: Slots = {
    language,
    tasks: toTasks(shown, text),
    wish: toWish(call, { rules, shown, now }),
    ...(act === 'pick' && first && { choice: shown.candidates.indexOf(first) }),
  }
  const isSeveral = more.length > 0 || shown.steps.length > 0
  return {
    reading: { ...mergeAct(rules.reading, act, { text, situation: rules.situation }), by: rules.by, slots },
    called: {
      ...toPart(call, place),
      query: shown.query,
      isStrange: shown.results.trim() !== '',
      isNone: call.source === nothingFits,
      wishes: wishesIn(call, [...state.said, text]),
      topic: topicOf(call),
      words:
        codeSays.includes(call.tool) || codeAnswers.includes(call.source)
          ? ''
          : keepSentences(shown.answer.words, { ...besideOf(shown, text), language }),
      several: isSeveral ? shown.answer.calls.map(it => toOneOfSeveral(it, place)) : [],
    },
  }
}

const empty: Called = {
  ...{ tool: 'answer', input: {}, concluded: [], evidence: [], picks: [], asks: {} },
  ...{ query: '', isStrange: false, isNone: false, wishes: [], words: '', topic: '', several: [] },
}

type Place = { state: ButlerState; shown: Shown; situation: Situation; text: string; language: string }

const languageOfCall = ({ language }: TurnCall, text: string): string =>
  /^[a-z]{2,3}\b/.exec(language.toLowerCase())?.[0] ?? languageOf(text)

const picksOf = ({ candidates }: TurnCall, shown: Shown): Candidate[] =>
  [...new Set(candidates)].flatMap(it => shown.candidates[it] ?? [])

/**
 * Who puts a decision off is told that nothing presses, and who has a note for an agent what is possible. To small talk the model
 * answers alone.
 */
const topicOf = ({ tool, source, topic }: TurnCall): string =>
  tool === 'note_to_agent' ? 'note' : tool === 'agree_or_decline' || source === smallTalk ? source : topic

const toPart = (call: TurnCall, place: Place): CalledPart => {
  const { shown, text, language } = place
  const picks = picksOf(call, shown)
  const form = formOf(call, picks, place)
  const { input, concluded, evidence, refused } = valuesOf(call, form, place)
  const beside = { ...besideOf(shown, text), language }
  return {
    tool: isOfOpen(call, place) ? 'change_proposal' : call.tool,
    input,
    concluded,
    evidence,
    picks: picks.map(({ listing: it, ...of }) => ({ agentId: it.agentId, offeringId: it.id, ...of })),
    // What the model read and code cannot hold is asked for, and not guessed by the rules.
    asks: { ...Object.fromEntries(refused.map(it => [it, ''])), ...keepAsks(call, form.requirement, beside) },
  }
}

const toOneOfSeveral = (call: TurnCall, place: Place): Called['several'][number] => ({
  ...toPart(call, place),
  task: call.tool === 'propose_hire' ? wordsOf(call, place.shown, place.text) : '',
  limits: Object.fromEntries(Object.entries(call.limits).flatMap(([name, it]) => (it ? [[name, it] as const] : []))),
  step: stepOf(call, place.shown),
  isLeftOut: call.leave_out,
})

/** Tools whose deed needs the user's own word: code alone says whether it happens. */
const codeSays: readonly TurnCall['tool'][] = ['agree_or_decline', 'cancel', 'refund', 'appeal']

/** Answers that code gives as a whole: a model's words would greet twice. */
const codeAnswers = ['harm', 'greeting', 'thanks']

/** Whether a call hires what was hired last, and leaves out required inputs of its form: they stay as they were. */
const isAgain = (call: TurnCall, { shown, situation }: Place): boolean => {
  const { open: last } = shown
  const [only, ...others] = picksOf(call, shown)
  if (!last || !only || others.length > 0 || !isOf(only, last) || !canBeMeant('change', situation)) return false
  // One that was shown is picked, and a task in plain words is another text.
  if (shown.candidates.indexOf(only) < shown.shown || takesPlainText(only.listing.requirement)) return false
  return fieldsOf(last.requirement).some(({ name, required }) => {
    return required && !Object.hasOwn(call.input, name) && Object.hasOwn(last.input, name)
  })
}

const isOf = ({ listing }: Candidate, { name, agent }: TurnOpen) => listing.name === name && listing.agentHandle === agent

const isOpenOne = ({ pick }: ButlerState, it: Candidate | undefined) =>
  it !== undefined && pick?.agentId === it.listing.agentId && pick.offeringId === it.listing.id

/** Whether a yes names a condition. */
const isConditional = ({ source, limits, input }: TurnCall): boolean =>
  source === 'agrees' && (Object.values(limits).some(Boolean) || Object.keys(input).length > 0)

/** Whether a call gives inputs or limits of what is open: a change, an answer with more questions, or a yes on a condition. */
const isOfOpen = (call: TurnCall, place: Place): boolean => {
  const { shown, situation } = place
  if (call.tool === 'change_proposal') return true
  const isOpen = situation.stage === 'ask' || situation.stage === 'proposal'
  if (call.tool === 'propose_hire' && call.ask.length > 0) return isOpen && call.candidates.length === 0
  if (call.tool === 'propose_hire') return !isOpen && isAgain(call, place)
  return isConditional(call) && (shown.open !== undefined || shown.steps.length > 0)
}

const actIn = (call: TurnCall, [first]: Candidate[], place: Place): Act | undefined => {
  const { state, shown, situation } = place
  const { stage } = situation
  const isOpen = stage === 'ask' || stage === 'proposal'
  const isShown = first !== undefined && shown.candidates.indexOf(first) < shown.shown
  if (isOfOpen(call, place)) return stage === 'ask' ? 'answer' : 'change'
  // A condition that no open offering can meet agrees to nothing.
  if (isConditional(call)) return undefined
  if (call.tool === 'propose_hire' && isOpen && isOpenOne(state, first)) return stage === 'ask' ? 'answer' : 'change'
  if (call.tool === 'propose_hire' && isShown && call.candidates.length === 1) return 'pick'
  return actOfCall(call)
}

/** The step of the open plan that a call names, or the only one that asks; 0 without one. */
const stepOf = ({ step }: TurnCall, { steps }: Shown): number => {
  if (steps[step - 1]) return step
  const asking = steps.flatMap((it, at) => (it.questions.length > 0 ? [at + 1] : []))
  return step === 0 && asking.length === 1 ? (asking[0] ?? 0) : 0
}

/** The form of the offering that a call speaks of, and what of it is known: the one that it points at, or the one that is open. */
type Form = { requirement: JsonObject; known: JsonObject; last: JsonObject }

const formOf = (call: TurnCall, [first]: Candidate[], place: Place): Form => {
  const { state, shown } = place
  const open = shown.steps[stepOf(call, shown) - 1] ?? shown.open
  const isOpen = isOfOpen(call, place)
  const requirement = first && !isOpen ? first.listing.requirement : open?.requirement
  const known = isOpen || isOpenOne(state, first) ? (open?.input ?? {}) : {}
  const { open: before } = shown
  const last = before && first && isOf(first, before) ? before.input : {}
  return { requirement: requirement ? toForm(requirement) : {}, known, last }
}

/** The checked values of a call. What a message quotes is no word of the user, but stands in place of its mark. */
const valuesOf = (call: TurnCall, { requirement, known, last }: Form, { state, shown, text }: Place): Values =>
  checkValues(call, requirement, {
    said: [...state.said, text].map(it => toOwnWords(it).text).join('\n'),
    before: shown.talk.messages.flatMap(it => (it.by === 'user' ? [it.text] : [])).join('\n'),
    known,
    last,
    zone: shown.timeZone,
    restore: shown.restore,
  })

const toPlain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()
/** The part of a message that has these words, with its own line breaks and blanks. */
const partOf = (text: string, words: string): string =>
  new RegExp(words.split(/\s+/).map(RegExp.escape).join(String.raw`\s+`), 'i').exec(text)?.[0] ?? words

/** The words of a task, as they stand in the message; empty when they do not. */
const wordsOf = ({ task }: TurnCall, { restore }: Shown, text: string): string => {
  const words = restore(task).trim()
  return words !== '' && toPlain(text).includes(toPlain(words)) ? partOf(text, words) : ''
}

/** Several calls are a plan: its tasks in the words of the message, all of them or none. */
const toTasks = (shown: Shown, text: string): string[] => {
  const tasks = shown.answer.calls.filter(it => it.tool === 'propose_hire' || it.tool === 'search_offerings')
  const words = tasks.map(it => wordsOf(it, shown, text))
  return words.every(it => it !== '') && new Set(words).size === words.length ? words : []
}

const taskChars = 500

const toWish = (call: TurnCall, { rules, shown, now }: { rules: Rules; shown: Shown; now: number }): Understanding => {
  const query = shown.query || toQuotable(call.query, taskChars)
  // A limit that the model read for its search holds for the hire, too.
  const { maxPrice, withinMinutes } = shown.wish
  const limits = mergeLimits({ ...rules.wish, maxPrice, withinMinutes }, call, { said: rules.text, now })
  return { ...rules.wish, ...limits, intent: 'task', task: query || rules.wish.task }
}

const wishChars = 160
/** Wishes about the result in the user's own words. What an input takes is no wish. */
const wishesIn = ({ wishes, input }: TurnCall, said: string[]): string[] => {
  const values = new Set(Object.values(input).map(it => toPlain(typeof it === 'string' ? it : JSON.stringify(it))))
  const heard = said.map(toPlain)
  return [...new Set(wishes.map(it => toQuotable(it, wishChars)))]
    .filter(it => it !== '' && !values.has(toPlain(it)) && heard.some(words => words.includes(toPlain(it))))
    .slice(0, maxWishes)
}
