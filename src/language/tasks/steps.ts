import type { JsonObject } from '../../domain/json.ts'
import { fieldsOf } from '../../domain/schemas/schema.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { perValue } from './perValue.ts'

/** A task with the offering that was found for it; `key` tells offerings apart. */
export type Found = {
  words: string
  offering?: { key: string; requirement: JsonObject | null | undefined; listing: string } | undefined
}

/** One call of a plan. `task` is the index of its task in the list. */
export type Step = { task: number; key: string; words: string; input: JsonObject }

type Offering = NonNullable<Found['offering']>
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

/**
 * Turns tasks with their offerings into the calls of a plan, in order. A task becomes several calls where its offering takes one
 * value at a time. One that only adds to the task before it is part of it. Values that a task lacks come from the earlier ones.
 * A task without a call is in no step.
 */
export const readSteps = (found: readonly Found[], now: number): Step[] => {
  const steps: Earlier[] = []
  for (const [task, { words, offering }] of found.entries()) {
    const last = steps.at(-1)
    const of = offering ?? last?.offering
    if (!of) continue
    const calls = perValue({ words, requirement: of.requirement, listing: of.listing, now })
    const [only, ...others] = calls
    const isSame = last?.key === of.key && others.length === 0 && only !== undefined
    if (isSame && Object.keys(only.input).length > 0 && agrees(last.input, only.input)) {
      last.input = { ...last.input, ...only.input }
      continue
    }
    if (!offering) {
      const input = last && repeating.test(words) ? repeated(words, last, now) : undefined
      if (last && input) steps.push({ task, key: of.key, words, input, offering: of })
      continue
    }
    const before = [...steps]
    for (const it of calls) {
      const input = carried(of, it.input, before)
      const isRepeated = before.some(one => one.key === of.key && missingIn(of, input).length === 0 && same(one.input, input))
      if (!isRepeated) steps.push({ task, key: of.key, words: it.words, input, offering: of })
    }
  }
  return steps.map(({ offering: _, ...it }) => it)
}
