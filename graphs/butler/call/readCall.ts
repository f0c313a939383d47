import { maxWishes } from '../../../src/domain/jobs/acceptance.ts'
import type { Act, Situation } from '../../../src/domain/runs/acts.ts'
import { actOfCall, nothingFits, type TurnCall } from '../../../src/domain/runs/turnCall.ts'
import { toForm } from '../../../src/domain/schemas/plainInput.ts'
import { toQuotable } from '../../../src/domain/text/quotableText.ts'
import { languageOf } from '../../../src/language/words/language.ts'
import type { Slots, TurnReading, Understanding } from '../../../src/ports.ts'
import type { Candidate } from '../deps.ts'
import type { ButlerState } from '../state.ts'
import { besideOf, type Called } from './callModel.ts'
import { mergeAct, mergeLimits } from './merge.ts'
import { keepSentences } from './sentences.ts'
import { checkValues, type Values } from './values.ts'

type State = NonNullable<ButlerState['called']>
type Rules = { reading: TurnReading; wish: Understanding; situation: Situation; text: string; by: string; now: number }

/** A turn as both readers read it, with what of the model's call the later nodes use. */
export type Read = { reading: TurnReading; called: State }

/**
 * Reads the answer of a model to a turn. Everything in it is checked: candidates were shown, values and limits were said, words
 * tell nothing that only code knows.
 */
export const readCall = (state: ButlerState, called: Called, rules: Rules): Read => {
  const [call] = called.answer.calls
  if (!call) return { reading: rules.reading, called: empty }
  const { text, now } = rules
  const picks = [...new Set(call.candidates)].flatMap(it => called.candidates[it] ?? [])
  const [first] = picks
  const act = actIn(call, picks, { state, called, situation: rules.situation })
  const { input, concluded, evidence } = valuesOf(call, picks, { state, called, text })
  const language = /^[a-z]{2,3}\b/.exec(call.language.toLowerCase())?.[0] ?? languageOf(text)
  const slots: Slots = {
    language,
    tasks: toTasks(called, text),
    wish: toWish(call, { rules, called, now }),
    ...(act === 'pick' && first && { choice: called.candidates.indexOf(first) }),
  }
  return {
    reading: { ...mergeAct(rules.reading, act, { text, situation: rules.situation }), by: rules.by, slots },
    called: {
      tool: call.tool,
      input,
      concluded,
      evidence,
      query: called.query,
      isStrange: called.isStrange,
      picks: picks.map(({ listing: it, ...of }) => ({ agentId: it.agentId, offeringId: it.id, ...of })),
      isNone: call.source === nothingFits,
      wishes: wishesIn(call, [...state.said, text]),
      words:
        codeSays.includes(call.tool) || call.source === 'harm'
          ? ''
          : keepSentences(called.answer.words, { ...besideOf(called, text), language }),
      asks: Object.fromEntries(
        call.fields.map(it => [it.name, keepSentences(it.words, { ...besideOf(called, text), language })] as const),
      ),
    },
  }
}

const empty: State = {
  tool: 'answer',
  input: {},
  concluded: [],
  evidence: [],
  query: '',
  isStrange: false,
  picks: [],
  isNone: false,
  wishes: [],
  words: '',
  asks: {},
}

type Place = { state: ButlerState; called: Called; situation: Situation }

/** Tools whose deed needs the user's own word: code alone says whether it happens. */
const codeSays: readonly TurnCall['tool'][] = ['agree_or_decline', 'cancel', 'refund', 'appeal']

/** Tools that name an offering to hire. */
const proposing: readonly TurnCall['tool'][] = ['propose_hire', 'ask_user']

const isOpenOne = ({ pick }: ButlerState, it: Candidate | undefined) =>
  it !== undefined && pick?.agentId === it.listing.agentId && pick.offeringId === it.listing.id

const actIn = (call: TurnCall, [first]: Candidate[], { state, called, situation }: Place): Act | undefined => {
  const { stage } = situation
  const isOpen = stage === 'ask' || stage === 'proposal'
  const isShown = first !== undefined && called.candidates.indexOf(first) < called.shown
  if (proposing.includes(call.tool) && isOpen && isOpenOne(state, first)) return stage === 'ask' ? 'answer' : 'change'
  if (proposing.includes(call.tool) && isShown && call.candidates.length === 1) return 'pick'
  if (call.tool === 'change_proposal') return stage === 'ask' ? 'answer' : 'change'
  return actOfCall(call)
}

type Said = { state: ButlerState; called: Called; text: string }

/** The checked values for the offering that the call speaks of: the one that it points at, or the one that is open. */
const valuesOf = (call: TurnCall, [first]: Candidate[], { state, called, text }: Said): Values => {
  const requirement = first && call.tool !== 'change_proposal' ? first.listing.requirement : called.open?.requirement
  if (!requirement) return { input: {}, concluded: [], evidence: [] }
  return checkValues(call, toForm(requirement), {
    said: [...state.said, text].join('\n'),
    before: called.talk.messages.flatMap(it => (it.by === 'user' ? [it.text] : [])).join('\n'),
    known: call.tool === 'change_proposal' || isOpenOne(state, first) ? (called.open?.input ?? {}) : {},
    restore: called.restore,
  })
}

const toPlain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()
/** The part of a message that has these words, with its own line breaks and blanks. */
const partOf = (text: string, words: string): string =>
  new RegExp(words.split(/\s+/).map(RegExp.escape).join(String.raw`\s+`), 'i').exec(text)?.[0] ?? words

/** Several calls are a plan: its tasks in the words of the message, all of them or none. */
const toTasks = ({ answer, restore }: Called, text: string): string[] => {
  const tasks = answer.calls.filter(it => proposing.includes(it.tool) || it.tool === 'search_offerings')
  const words = tasks.map(it => restore(it.task).trim())
  const areSaid = words.every(it => it !== '' && toPlain(text).includes(toPlain(it)))
  return areSaid && new Set(words).size === words.length ? words.map(it => partOf(text, it)) : []
}

const taskChars = 500

const toWish = (call: TurnCall, { rules, called, now }: { rules: Rules; called: Called; now: number }): Understanding => {
  const query = called.query || toQuotable(call.query, taskChars)
  const limits = mergeLimits(rules.wish, call, { said: rules.text, now })
  return { ...rules.wish, ...limits, deadline: undefined, intent: 'task', task: query || rules.wish.task }
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
