import type { JsonObject } from '../../domain/json.ts'
import { fieldsOf } from '../../domain/schemas/schema.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { resolveReferences } from '../text/references.ts'
import { createOwnWords, isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { type Call, perValue } from './perValue.ts'

/** `key` tells offerings apart; `listing` is the name, then the description from the second line on. */
export type Offering = { key: string; requirement: JsonObject | null | undefined; listing: string }

/**
 * A task with the offering that was found for it. `nearest`: what was found for the whole message; it does a task for which nothing
 * was found, if the words of the task are values for it.
 */
export type Found = {
  words: string
  offering?: Offering | undefined
  nearest?: Offering | undefined
  /** It takes the result of an earlier task, so what it lacks is not repeated from there. */
  isTaking?: boolean | undefined
}

/** One call of a plan. `task` is the index of its task in the list, and `parts` are those of the tasks that only add to it. */
export type Step = { task: number; parts: number[]; key: string; words: string; input: JsonObject; isNearest: boolean }

/** `own`: the values of its own words; the others of its input come from earlier steps. */
type Earlier = Step & { offering: Offering; own: JsonObject; isTaking: boolean }

const missingIn = ({ requirement }: Offering, input: JsonObject): string[] =>
  fieldsOf(requirement ?? {}).flatMap(it => (it.required && input[it.name] === undefined ? [it.name] : []))

/** Takes missing values from earlier steps: of the same offering all that the words do not change, of another one by name. */
const carried = (offering: Offering, input: JsonObject, earlier: readonly Earlier[]): JsonObject => {
  const missing = missingIn(offering, input)
  if (missing.length === 0) return input
  const same = earlier.findLast(it => it.key === offering.key)
  if (same) return { ...same.input, ...input }
  const known = missing.flatMap(name => {
    const step = earlier.findLast(it => it.input[name] !== undefined)
    const value = step?.input[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...input, ...Object.fromEntries(known) }
}

/** Whether a call says nothing that an earlier one does not: "San Francisco" after "San Francisco, California". */
const same = (before: JsonObject, input: JsonObject): boolean =>
  Object.keys({ ...before, ...input }).every(name => {
    const [a, b] = [before[name], input[name]]
    return JSON.stringify(a) === JSON.stringify(b) || (typeof a === 'string' && typeof b === 'string' && a.startsWith(`${b}, `))
  })

/** Whether an input gives no field another value than a step has. */
const agrees = (step: JsonObject, input: JsonObject): boolean =>
  Object.entries(input).every(([name, it]) => step[name] === undefined || JSON.stringify(step[name]) === JSON.stringify(it))

/** Words that ask for an earlier task again, with other values. */
const repeating =
  /(?<!\p{L})(?:same|again|instead|once more|as well|too|likewise|what about|how about|what if|what would|another|other|different|second|third|this time|repeat|also for|as for|compare|and (?:for|in|on|at))(?!\p{L})/iu

/** A task for which nothing was found may repeat an earlier one with other values: "What about in three days?" */
const repeated = (words: string, { offering, input: known }: Earlier, now: number): JsonObject | undefined => {
  const { requirement, listing } = offering
  const { values, given } = fillRequest({ text: words, requirement, now, listing, known })
  return given.length > 0 ? { ...known, ...values } : undefined
}

/** Whether words give a value of a known form to an offering that needs one, and say nothing else. */
const isGiven = (text: string, of: Offering, now: number): boolean => {
  const { typed, values } = fillRequest({ text, requirement: of.requirement, now, listing: of.listing })
  return typed > 0 && otherWords(text, of, { words: '', input: values }).length === 0
}

/** The calls of a task. Words before it for which nothing was found are read with it where they give more of its inputs. */
const callsOf = (of: { words: string; context: string; offering: Offering; now: number }) => {
  const { words, context, offering, now } = of
  const wanted = { requirement: offering.requirement, listing: offering.listing, now }
  const own = perValue({ ...wanted, words })
  if (context === '' || own.every(it => missingIn(offering, it.input).length === 0)) return own
  const joined = perValue({ ...wanted, words: `${context} ${words}` })
  const missing = (calls: typeof own) => missingIn(offering, calls[0]?.input ?? {}).length
  if (missing(joined) >= missing(own)) return own
  // "There" is named in the place of it, so that the task can be searched without the words before it.
  return joined.map(it => {
    const said = resolveReferences(words, it.input)
    return said === words ? it : { ...it, words: said }
  })
}

type Plan = { steps: Earlier[]; context: string; now: number }
type Task = Found & { task: number }

/** The words of a task that neither the offering nor an earlier call of it has. */
const otherWords = (
  words: string,
  { listing, requirement }: Offering,
  { words: before, input }: Pick<Step, 'words' | 'input'>,
) => {
  const said = [before, ...Object.values(input).map(String)].join(' ')
  const fields = fieldsOf(requirement ?? {}).map(it => it.name)
  const isOwn = createOwnWords(`${listing} ${fields.join(' ').replaceAll('_', ' ')} ${said}`)
  const telling = splitWords(words).filter(it => /^\p{L}{3,}$/u.test(it) && !isEmpty(it) && !isDeed(it))
  return telling.filter(it => !isOwn(it))
}

/** Whether the words of a task name something that a call of the offering does not: the weather, where it tells the time. */
const asksOther = (words: string, of: Offering, step: Step): boolean => otherWords(words, of, step).length > 0

const question = /(?<!\p{L})(?:what|what['’]s|how|tell me|give me|show me)\s+(?:is\s+|are\s+)?the\s+$/iu
/** Whether a task asks for another thing than an earlier one did of the same offering: "and what is the weather in London?" */
const asksForOther = (words: string, of: Offering, step: Pick<Step, 'words' | 'input'>): boolean => {
  const [noun = ''] = otherWords(words, of, step)
  return noun !== '' && question.test(words.toLowerCase().split(new RegExp(String.raw`(?<!\p{L})${noun}(?!\p{L})`, 'u'))[0] ?? '')
}

/** Adds to the last step what a task of the same offering only adds to it. @returns whether it was so */
const isAdded = (last: Earlier, { task, isTaking, words }: Task, calls: readonly Call[]): boolean => {
  const [only, ...others] = calls
  if (!only || others.length > 0 || isTaking || Object.keys(only.input).length === 0 || !agrees(last.own, only.input))
    return false
  const isNew = Object.keys(only.input).some(it => last.own[it] === undefined)
  if (!isNew && asksOther(words, last.offering, last)) return true
  last.input = { ...last.input, ...only.input }
  last.own = { ...last.own, ...only.input }
  last.parts.push(task)
  return true
}

/**
 * Whether words that ask for an offering once more give none of its inputs, and no result can: "Can you calculate these for me?"
 * Only a text takes the result of an earlier step.
 */
const isRecap = ({ requirement }: Offering, input: JsonObject): boolean =>
  Object.keys(input).length === 0 && fieldsOf(requirement ?? {}).some(it => it.required && it.type !== 'string')

/** Whether a step only announces what the next one does: it has no value, or one that is a count in words: "two gardens". */
const isAnnouncing = ({ offering, input, own, words, isTaking }: Earlier): boolean =>
  !isTaking &&
  missingIn(offering, input).length > 0 &&
  Object.values(own).every(it => typeof it === 'number' && !words.includes(String(it)))

/** Adds the calls of a task. One that an earlier step makes already is a part of that step. */
const addCalls = ({ steps }: Plan, { task, offering, isTaking, words, of }: Task & { of: Offering }, calls: readonly Call[]) => {
  const before = [...steps]
  for (const it of calls) {
    const input = isTaking && !repeating.test(words) ? it.input : carried(of, it.input, before)
    const isWhole = missingIn(of, input).length === 0
    const equal = isWhole ? before.find(one => one.key === of.key && same(one.input, input)) : undefined
    const last = before.findLast(one => one.key === of.key)
    if (last && isRecap(of, it.input)) {
      last.parts.push(task)
      continue
    }
    if (last && asksForOther(words, of, { words: last.words, input: { ...last.input, ...input } })) continue
    if (equal && asksOther(words, of, equal)) continue
    const open = steps.at(-1)
    const isOpened = open?.key === of.key && isWhole && isAnnouncing(open)
    if (equal) equal.parts.push(task)
    else
      steps.splice(isOpened ? -1 : steps.length, 1, {
        task,
        parts: isOpened ? [open.task, ...open.parts] : [],
        key: of.key,
        words: it.words,
        input,
        own: it.input,
        isNearest: offering === undefined,
        offering: of,
        isTaking: isTaking === true,
      })
  }
}

/** Adds a task for which nothing was found: as a part of the last step, as that step again, or as words for the next one. */
const addOther = (plan: Plan, it: Task): void => {
  const last = plan.steps.at(-1)
  if (last) {
    const { offering: of } = last
    const { words, task } = it
    if (isAdded(last, it, callsOf({ words, context: '', offering: of, now: plan.now }))) return
    const input = repeating.test(words) ? repeated(words, last, plan.now) : undefined
    if (input) {
      plan.steps.push({ task, parts: [], key: of.key, words, input, own: input, isNearest: false, offering: of, isTaking: false })
      return
    }
  }
  plan.context = `${plan.context} ${it.words}`.trim()
}

/**
 * Turns tasks with their offerings into the calls of a plan, in order. A task becomes several calls where its offering takes one
 * value at a time. One that only adds to the task before it is part of it. Values that a task lacks, or names by "there" and "the
 * same day", come from the earlier ones.
 * A task without a call is in no step.
 */
export const readSteps = (found: readonly Found[], now: number): Step[] => {
  const plan: Plan = { steps: [], context: '', now }
  for (const [task, it] of found.entries()) {
    const { offering, nearest } = it
    const words = resolveReferences(it.words, plan.steps.at(-1)?.input ?? {})
    const of = offering ?? (nearest && isGiven(words, nearest, now) ? nearest : undefined)
    if (!of) {
      addOther(plan, { ...it, task })
      continue
    }
    const calls = callsOf({ words, context: plan.context, offering: of, now })
    const last = plan.steps.at(-1)
    if (last?.key === of.key && isAdded(last, { ...it, task }, calls)) continue
    plan.context = ''
    addCalls(plan, { ...it, task, of }, calls)
  }
  return plan.steps.map(({ offering: _, own: __, isTaking: ___, ...it }) => it)
}
