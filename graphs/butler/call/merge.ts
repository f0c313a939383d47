import { refuses } from '../../../src/domain/consent/readConsent.ts'
import type { Json, JsonObject } from '../../../src/domain/json.ts'
import { isAbove } from '../../../src/domain/money/money.ts'
import { type Act, canBeMeant, canBeSaid, type Situation } from '../../../src/domain/runs/acts.ts'
import type { TurnCall } from '../../../src/domain/runs/turnCall.ts'
import { toProperties } from '../../../src/language/fields/requirement.ts'
import { withExactTexts } from '../../../src/language/filling/exact.ts'
import { toMinutes } from '../../../src/language/text/limits.ts'
import { spokenNumbers } from '../../../src/language/words/numerals.ts'
import type { TurnReading, Understanding } from '../../../src/ports.ts'

// The merge of two readings of one message: by the rules, and by a language model. A closed grammar decides before either.

/** Minimum probability at which a no or cancel of the rules is final. */
const sureEnough = 0.6
const modelSure = 0.95

/** Whether the rules decide alone: no model is asked about an act that ends something. */
export const isSettled = ({ act, sure }: TurnReading, text: string, { stage, hasJob }: Situation): boolean => {
  if (sure < sureEnough) return false
  if (act === 'cancel') return hasJob || stage !== 'none'
  // A correction such as “it is aluminium, not steel” only resembles a refusal.
  return act === 'no' && stage !== 'none' && refuses(text)
}

/** Whether the rules found the same act. A yes is never a model's. An act that the rules are unsure of counts as a task. */
const isHeld = ({ act, sure }: TurnReading, meant: Act): boolean =>
  meant !== 'yes' && (act === meant || (meant === 'task' && sure < sureEnough))

/**
 * The act: the model's where it can be meant, and marked where the rules do not see it, so that a model alone never agrees,
 * cancels, claims money or hires.
 */
export const mergeAct = (rules: TurnReading, meant: Act | undefined, of: { text: string; situation: Situation }): TurnReading => {
  const { text, situation } = of
  // An offering that was shown before is a task of its own where nothing is shown to pick from.
  const act = meant === 'pick' && !canBeMeant('pick', situation) ? 'task' : meant
  if (act === undefined || !canBeSaid(act, text, situation) || !canBeMeant(act, situation)) return rules
  // Without an open proposal there is nothing to say yes to.
  if (act === 'yes' && situation.stage === 'none') return rules
  const other = rules.act === act ? rules.other : rules.act
  return { ...rules, act, other, sure: modelSure, isUnheld: !isHeld(rules, act) }
}

type Limits = Pick<Understanding, 'maxPrice' | 'withinMinutes' | 'agent' | 'category'>

const price = /^\d{1,12}(\.\d{1,18})?$/
const least = <T>(values: (T | undefined)[], isLess: (a: T, b: T) => boolean): T | undefined =>
  values.reduce((a, b) => (a === undefined || (b !== undefined && isLess(b, a)) ? b : a), undefined)

const asSaid = (words: string | null | undefined, said: string): string | undefined =>
  words && said.toLowerCase().includes(words.toLowerCase()) ? words : undefined

/** Who decides each limit. `said`: the message. A limit of the model counts only if it was said. */
const limitTable: { [K in keyof Limits]-?: (rules: Understanding, model: Limits) => Limits[K] } = {
  maxPrice: (rules, model) => least([rules.maxPrice, model.maxPrice], (a, b) => isAbove(b, a)),
  withinMinutes: (rules, model) => least([rules.withinMinutes, model.withinMinutes], (a, b) => a < b),
  agent: (rules, model) => rules.agent ?? model.agent,
  category: (rules, model) => rules.category ?? model.category,
}

/** The lower of both limits, and the agent and category that were named. */
export const mergeLimits = (
  rules: Understanding,
  { limits }: Pick<TurnCall, 'limits'>,
  { said, now }: { said: string; now: number },
): Limits => {
  const { max_price, within, agent, category } = limits
  const deadline = asSaid(within, said)
  const model: Limits = {
    maxPrice: max_price && price.test(max_price) && spokenNumbers(said).has(Number(max_price)) ? max_price : undefined,
    withinMinutes: deadline ? toMinutes(deadline, now) : undefined,
    agent: asSaid(agent, said)?.replace(/^@/, ''),
    category: asSaid(category, said),
  }
  return {
    maxPrice: limitTable.maxPrice(rules, model),
    withinMinutes: limitTable.withinMinutes(rules, model),
    agent: limitTable.agent(rules, model),
    category: limitTable.category(rules, model),
  }
}

/** One field in both readings. `known`: its value before this message. */
type Field = {
  rules: Json | undefined
  model: Json | undefined
  known: Json | undefined
  isRequired: boolean
  isTyped: boolean
  /** The model asks for it, or the words are in a language that the rules do not read. */
  isUnread: boolean
  /** The model gave a value for this or another field, or changes something else than a field. */
  hasModel: boolean
  /** The rules found no value by its form, so they took the whole message. */
  isAll: boolean
  /** It takes yes or no. */
  isBox: boolean
  /** The days that code counts in the newest message, ISO 8601. */
  days: readonly string[]
}

const isoDate = /^\d{4}-\d{2}-\d{2}/
const isDate = (it: Json | undefined): it is string => typeof it === 'string' && isoDate.test(it)
const monthOf = (date: string) => date.slice(0, 'YYYY-MM'.length)
const dayOf = (date: string) => date.slice(0, 'YYYY-MM-DD'.length).slice(-2)

/** Whether both readings have the same day of a month, and the model's month is that of the date before: "rather the 18th". */
const isDayAlone = ({ rules, model, known }: Field): boolean =>
  isDate(rules) && isDate(model) && isDate(known) && dayOf(rules) === dayOf(model) && monthOf(model) === monthOf(known)

/** Whether code counts the model's date in the message, too: of several, the model knows which one is meant. */
const isCounted = ({ rules, model, days }: Field): boolean =>
  isDate(rules) && isDate(model) && days.includes(model.slice(0, 'YYYY-MM-DD'.length))

const clockChars = 'YYYY-MM-DDTHH:MM'.length
/** Whether both readings have the same wall clock: the model read a zone in words that the rules do not know. */
const isSameClock = ({ rules, model }: Field): boolean =>
  isDate(rules) && isDate(model) && rules.length > clockChars && rules.slice(0, clockChars) === model.slice(0, clockChars)

/** Who decides a value: the first row that applies. Values of the model have been checked against what was said. */
const valueTable: [when: (it: Field) => boolean, value: (it: Field) => Json | undefined][] = [
  [isDayAlone, it => it.model],
  [isCounted, it => it.model],
  [isSameClock, it => it.model],
  // Dates are counted by code. One that the rules only keep from before is none that they read.
  [it => it.model !== undefined && isDate(it.rules) && isDate(it.model) && it.rules !== it.known, it => it.rules],
  [it => it.model !== undefined, it => it.model],
  // A model that found another value in the message has read it; the message is no value as a whole.
  [it => it.hasModel && it.isAll && !it.isTyped, it => it.known],
  // A change touches what it names and nothing else.
  [it => it.hasModel && it.known !== undefined, it => it.known],
  // A yes or no that its user may leave out, and the model did, is none that they said.
  [it => it.hasModel && it.isBox && !it.isRequired, it => it.known],
  // What the model left out, and what a text may be, is asked for rather than guessed.
  [it => it.isTyped || (!it.isUnread && (it.isRequired || !it.hasModel)), it => it.rules],
]

/**
 * `isChange`: the model changes what is open. `concluded`, `asked`: the inputs that the model concluded, and those that it asks
 * for. `language`: of the message.
 */
type Readings = {
  rules: JsonObject
  model: JsonObject
  known: JsonObject
  isChange: boolean
  concluded: readonly string[]
  asked: readonly string[]
  language: string
  /** The days that code counts in the newest message, ISO 8601. */
  days: readonly string[]
}

/** The best of both readings for each field of a form. Marked material stands as it was written. */
export const mergeValues = (
  requirement: JsonObject,
  { rules, model, known, isChange, concluded, asked, language, days }: Readings,
  said: string[],
): JsonObject => {
  const hasModel = isChange || Object.keys(model).length > 0
  const merged = toProperties(requirement).flatMap(({ name, required, type, format, allowed }) => {
    const isTyped = type !== 'string' || format !== '' || allowed.length > 0
    const isUnread = asked.includes(name) || language !== 'en'
    const isAll = said.length > 1 && rules[name] === said.at(-1)?.trim()
    const field = { rules: rules[name], model: model[name], known: known[name], isRequired: required, isTyped, isUnread }
    const it = { ...field, hasModel, isAll, isBox: type === 'boolean', days }
    const value = valueTable.find(([when]) => when(it))?.[1](it)
    return value === undefined ? [] : [[name, value] as const]
  })
  // A value that was concluded is none of the user's words, so no words of the user take its place.
  const exact = Object.entries(rules).filter(([name]) => !concluded.includes(name))
  return withExactTexts(Object.fromEntries(merged), Object.fromEntries(exact), said)
}
