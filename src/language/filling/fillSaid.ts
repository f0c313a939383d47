import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { toSlot } from '../fields/fields.ts'
import { toProperties } from '../fields/requirement.ts'
import { readHireSentence } from '../rules/phrases.ts'
import { isMoment } from '../values/calendar.ts'
import { formOfItems } from '../values/fieldForms.ts'
import { fillRequest } from './fillRequest.ts'
import type { Filled, FillOf } from './request.ts'

type Said = Pick<FillOf, 'requirement' | 'now' | 'listing'> & { said: readonly string[] }

const joint = /^\W*(?:(?:and|also|plus|then|add|ok|oh)\b[\s,]*)+|[\s,.;!]+$/gi

/** The missing lists and moments. `isTyped`: the form of their parts tells them from other words. */
const missingOfParts = ({ requirement }: Said, { missing }: Filled) =>
  toProperties(requirement ?? {})
    .filter(it => missing.includes(it.name))
    .map(toSlot)
    .filter(it => it.type === 'array' || isMoment(it))
    .map(it => ({ name: it.name, isTyped: isMoment(it) || formOfItems(it) !== undefined }))

/** Reads a value whose parts were said in several messages: the items of a list, or a day and its time. */
const gather = (of: Said, messages: readonly string[], filled: Filled): Filled => {
  for (const { name, isTyped } of missingOfParts(of, filled)) {
    const parts = messages.slice(isTyped ? 0 : 1)
    if (parts.length < 2) continue
    const text = parts.map(it => it.replace(joint, '')).join(', ')
    const read = fillRequest({ ...of, text, known: filled.values, asked: { fields: [name] } })
    if (read.given.includes(name)) return { ...filled, values: read.values, missing: filled.missing.filter(it => it !== name) }
  }
  return filled
}

/**
 * Fills the inputs from all messages of a run. The first is the request; later ones answer questions while values are missing,
 * and change values otherwise.
 */
export const fillSaid = (of: Said): JsonObject => {
  const [request = '', ...later] = of.said.map(it => readHireSentence(it)?.task ?? it)
  let filled: Filled = fillRequest({ ...of, text: request })
  for (const [at, text] of later.entries()) {
    const asked = { fields: filled.missing.slice(0, limits.questionsAtOnce) }
    filled = fillRequest({ ...of, text, known: filled.values, ...(asked.fields.length > 0 && { asked }) })
    if (asked.fields.length > 0) filled = gather(of, [request, ...later.slice(0, at + 1)], filled)
  }
  return filled.values
}
