import { withoutHireTag } from '../../domain/agents/agentId.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import { takesPlainText } from '../../domain/schemas/testInput.ts'
import { type Slot, toSlot } from '../fields/fields.ts'
import { createFilling, type Filling, toValues } from '../fields/filling.ts'
import { createPage, toLeftover } from '../fields/page.ts'
import { toLeaves, valueAt } from '../fields/requirement.ts'
import { takeHandle, takeId } from '../rules/phrases.ts'
import { findFences } from '../text/fences.ts'
import { findMaterial } from '../text/marked.ts'
import { type Limits, unreadAmounts } from '../values/wishes.ts'
import { createOwnWords } from '../words/vocabulary.ts'
import { readAnswer } from './answers.ts'
import { newFirst, readChange } from './changes.ts'
import { withoutCorrected } from './corrections.ts'
import { readPlain } from './plain.ts'
import { readTyped } from './read.ts'
import type { Asked, Filled, FillOf } from './request.ts'
import { readRest } from './rest.ts'

/** The inputs that slots belong to. */
const inputsOf = (slots: readonly Slot[]) => [...new Set(slots.map(it => it.path[0] ?? it.name))]

const toFilled = (filling: Filling, limits: Limits, known: JsonObject): Filled => {
  const { slots, page, typed } = filling
  const values = new Map<string, Json>([...Object.entries(known), ...filling.values])
  const unread = unreadAmounts(page)
  return {
    values: toValues(slots, values),
    missing: inputsOf(slots.filter(it => it.required && !values.has(it.name))),
    given: inputsOf(slots.filter(it => filling.values.has(it.name))),
    leftover: toLeftover(page),
    untyped: toLeftover(page),
    limits: { ...(unread.length > 0 && { unread }), ...limits },
    typed: typed.size,
  }
}

/** Whether the words after a colon are values of the form, and no text that stays as it is. */
const areValues = (text: string, slots: readonly Slot[]): boolean =>
  slots.length > 0 && !slots.some(it => it.kind === 'text') && /^(?:colon|lines)$/.test(findMaterial(text)?.mark ?? '')

/** Removes words addressed to the butler and what was corrected from the request. The material stays unchanged. */
export const withoutSlip = (text: string, now: number, slots: readonly Slot[]) => {
  const fence = findFences(text)[0]?.from ?? text.length
  const named = `${withoutHireTag(text.slice(0, fence))}${text.slice(fence)}`
  const from = areValues(named, slots) ? named.length : (findMaterial(named)?.from ?? named.length)
  const request = withoutCorrected(takeHandle(takeId(named.slice(0, from)).rest).rest, now)
  return `${request}${named.slice(from)}`.trim()
}

/** Names inside the sentences of a description, such as “Tokyo” in “What time is it in Tokyo?”. They are values, not its words. */
const namesInside = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+/gu
export const withoutNames = (listing: string): string => {
  const [name = '', ...description] = listing.split('\n')
  return [name, ...description.map(it => it.replace(namesInside, ' '))].join('\n')
}

const inFirst = (slots: readonly Slot[]) => [...slots.filter(it => it.required), ...slots.filter(it => !it.required)]

/** The known values by leaf. */
const toKnown = (slots: readonly Slot[], known: JsonObject): JsonObject =>
  Object.fromEntries(
    slots.flatMap(({ name, path }) => {
      const value = valueAt(known, path)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )

/** The asked leaves: a question about an object asks for all its members. */
const toAsked = (slots: readonly Slot[], { fields }: Asked): Asked => ({
  fields: slots.filter(it => fields.includes(it.path[0] ?? it.name)).map(it => it.name),
})

/**
 * Reads the inputs of an offering from the user's words; each value satisfies the schema. The text is a request, an answer
 * (with `asked`) or a change (with `known`). Fields without a value are reported as missing.
 */
export const fillRequest = ({ text, requirement, now, listing = '', asked, known }: FillOf): Filled => {
  const leaves = toLeaves(requirement ?? {})
  const slots = inFirst(leaves.map(toSlot))
  const words = asked ? text : withoutSlip(known ? newFirst(text) : text, now, slots)
  const fields = leaves.map(it => it.path.join(' ').replaceAll('_', ' ')).join(' ')
  const isOwn = createOwnWords(`${withoutNames(listing)} ${fields}`)
  const isName = createOwnWords(`${listing.split('\n')[0]} ${fields}`)
  if (takesPlainText(requirement)) return readPlain({ text: words, isOwn, asked, known, now })
  const isListed = createOwnWords(withoutNames(listing))
  const filling = createFilling({ page: createPage(words), now, slots, isOwn, isName, isListed })
  const before = toKnown(slots, known ?? {})
  if (asked) return toFilled(filling, readAnswer(filling, { asked: toAsked(slots, asked), known: before }), before)
  if (Object.keys(before).length > 0) return toFilled(filling, readChange(filling, before), before)
  const limits = readTyped(filling)
  const unread = unreadAmounts(filling.page)
  const untyped = toLeftover(filling.page)
  readRest(filling)
  return { ...toFilled(filling, { ...limits, ...(unread.length > 0 && { unread }) }, {}), untyped }
}
