import type { JsonObject } from '../../domain/json.ts'
import { fieldsOf } from '../../domain/schemas/schema.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { perValue } from './perValue.ts'

/** `key` tells offerings apart; `listing` is the name, then the description from the second line on. */
export type Offering = { key: string; requirement: JsonObject | null | undefined; listing: string }

/**
 * A task with the offering that was found for it. `nearest`: what was found for the whole message; it does a task for which nothing
 * was found, if the words of the task are values for it.
 */
export type Found = { words: string; offering?: Offering | undefined; nearest?: Offering | undefined }

/** One call of a plan. `task` is the index of its task in the list. */
export type Step = { task: number; key: string; words: string; input: JsonObject }

type Earlier = Step & { offering: Offering }

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

const same = (a: JsonObject, b: JsonObject): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

/** Whether an input gives no field another value than a step has. */
const agrees = (step: JsonObject, input: JsonObject): boolean =>
  Object.entries(input).every(([name, it]) => step[name] === undefined || JSON.stringify(step[name]) === JSON.stringify(it))

/** Words that ask for an earlier task again, with other values. */
const repeating =
  /(?<!\p{L})(?:same|again|instead|once more|what about|how about|what if|what would|another|other|different|second|third|this time|repeat|also for|as for|compare|and (?:for|in|on|at))(?!\p{L})/iu

/** A task for which nothing was found may repeat an earlier one with other values: "What about in three days?" */
const repeated = (words: string, { offering, input: known }: Earlier, now: number): JsonObject | undefined => {
  const { requirement, listing } = offering
  const { values, given } = fillRequest({ text: words, requirement, now, listing, known })
  return given.length > 0 ? { ...known, ...values } : undefined
}

/** Whether words give a value of a known form to an offering that needs one. */
const isGiven = (text: string, { requirement, listing }: Offering, now: number): boolean =>
  fillRequest({ text, requirement, now, listing }).typed > 0

/** The calls of a task. Words before it for which nothing was found are read with it where they give more of its inputs. */
const callsOf = (of: { words: string; context: string; offering: Offering; now: number }) => {
  const { words, context, offering, now } = of
  const wanted = { requirement: offering.requirement, listing: offering.listing, now }
  const own = perValue({ ...wanted, words })
  if (context === '' || own.every(it => missingIn(offering, it.input).length === 0)) return own
  const joined = perValue({ ...wanted, words: `${context} ${words}` })
  const missing = (calls: typeof own) => missingIn(offering, calls[0]?.input ?? {}).length
  return missing(joined) < missing(own) ? joined : own
}

/**
 * Turns tasks with their offerings into the calls of a plan, in order. A task becomes several calls where its offering takes one
 * value at a time. One that only adds to the task before it is part of it. Values that a task lacks come from the earlier ones.
 * A task without a call is in no step.
 */
export const readSteps = (found: readonly Found[], now: number): Step[] => {
  const steps: Earlier[] = []
  let context = ''
  for (const [task, { words, offering: own, nearest }] of found.entries()) {
    const last = steps.at(-1)
    const offering = own ?? (nearest && isGiven(words, nearest, now) ? nearest : undefined)
    const of = offering ?? last?.offering
    if (!of) {
      context = `${context} ${words}`.trim()
      continue
    }
    const calls = callsOf({ words, context: offering ? context : '', offering: of, now })
    const [only, ...others] = calls
    const isSame = last?.key === of.key && others.length === 0 && only !== undefined
    if (isSame && Object.keys(only.input).length > 0 && agrees(last.input, only.input)) {
      last.input = { ...last.input, ...only.input }
      continue
    }
    if (!offering) {
      const input = last && repeating.test(words) ? repeated(words, last, now) : undefined
      if (last && input) steps.push({ task, key: of.key, words, input, offering: of })
      else context = `${context} ${words}`.trim()
      continue
    }
    context = ''
    const before = [...steps]
    for (const it of calls) {
      const input = carried(of, it.input, before)
      const isRepeated = before.some(one => one.key === of.key && missingIn(of, input).length === 0 && same(one.input, input))
      if (!isRepeated) steps.push({ task, key: of.key, words: it.words, input, offering: of })
    }
  }
  return steps.map(({ offering: _, ...it }) => it)
}
