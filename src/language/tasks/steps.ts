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

/** A task for which nothing was found may repeat an earlier one with other values: "What about in three days?" */
const repeated = (words: string, { offering, input: known }: Earlier, now: number): JsonObject | undefined => {
  const { requirement, listing } = offering
  const { values, given } = fillRequest({ text: words, requirement, now, listing, known })
  return given.length > 0 ? { ...known, ...values } : undefined
}

/**
 * Turns tasks with their offerings into the calls of a plan, in order. A task becomes several calls where its offering takes one
 * value at a time. Values that a task lacks come from the earlier ones. A task without a call is in no step.
 */
export const readSteps = (found: readonly Found[], now: number): Step[] => {
  const steps: Earlier[] = []
  for (const [task, { words, offering }] of found.entries()) {
    const last = steps.at(-1)
    if (offering) {
      const calls = perValue({ words, requirement: offering.requirement, listing: offering.listing, now })
      const before = [...steps]
      for (const it of calls)
        steps.push({ task, key: offering.key, words: it.words, input: carried(offering, it.input, before), offering })
    } else if (last) {
      const input = repeated(words, last, now)
      if (input) steps.push({ task, key: last.key, words, input, offering: last.offering })
    }
  }
  return steps.map(({ offering: _, ...it }) => it)
}
