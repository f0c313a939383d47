import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { checkInput } from '../schemas/inputCheck.ts'
import { fieldsOf, fullBudget, isDescribed } from '../schemas/schema.ts'
import type { Budget } from '../schemas/schemaCheck.ts'
import { sampleInputOf } from '../schemas/testInput.ts'
import { isListed, type Offering } from './offering.ts'

/** One finding about an agent: the check, its result, and what the owner can do. */
export const finding = z.object({
  check: z.string().describe('What was checked, such as `listed` or `found:count-words`'),
  level: z.enum(['ok', 'warning', 'wrong']),
  words: z.string(),
  remedy: z.string().optional(),
})
export type Finding = z.infer<typeof finding>

export const ok = (check: string, words: string): Finding => ({ check, level: 'ok', words })
export const warning = (check: string, words: string, remedy: string): Finding => ({ check, level: 'warning', words, remedy })
export const wrong = (check: string, words: string, remedy: string): Finding => ({ check, level: 'wrong', words, remedy })

export const checkListed = (offerings: Offering[]): Finding => {
  if (offerings.length === 0)
    return wrong('listed', 'The agent has no offerings, so nobody can find or hire it.', 'Register it with job_offerings.')
  const hidden = offerings.filter(it => !isListed(it))
  const reasons = hidden.map(it => `${it.id} (${reasonsOf(it).join(', ')})`).join('; ')
  const remedy = 'Set active to true, and hide and restricted to false, in these offerings.'
  if (hidden.length === offerings.length) return wrong('listed', `No offering is listed: ${reasons}.`, remedy)
  if (hidden.length > 0) return warning('listed', `Not every offering is listed: ${reasons}.`, remedy)
  return ok('listed', `${offerings.length} of ${offerings.length} offerings are listed.`)
}

const reasonsOf = ({ active, hide, restricted }: Offering): string[] => [
  ...(active ? [] : ['not active']),
  ...(hide ? ['hidden'] : []),
  ...(restricted ? ['restricted'] : []),
]

export const checkSchemas = (it: Offering, budget: Budget = fullBudget()): Finding => {
  const check = `schema:${it.id}`
  const undescribedMembers = [it.requirement, it.deliverable].flatMap(schema => undescribed(schema))
  if (undescribedMembers.length > 0)
    return wrong(
      check,
      `The schema requires ${undescribedMembers.join(', ')} and describes no such property.`,
      'Describe it under properties.',
    )
  const sample = sampleInputOf(it.jobInput)
  const { pass, errors } = sample ? checkInput(it.requirement, sample, budget) : { pass: true, errors: [] }
  if (!pass)
    return wrong(
      check,
      `The sample in job_input does not fit the requirement: ${errors.join(' ')}`,
      'Correct the sample or the schema.',
    )
  if (Object.keys(it.deliverable).length === 0)
    return warning(check, 'No deliverable schema: any text that is not empty passes.', 'Describe what you deliver with a schema.')
  return ok(check, sample ? 'The schemas are complete, and the sample fits.' : 'The schemas are complete.')
}

const undescribed = (schema: JsonObject): string[] =>
  fieldsOf(schema).flatMap(field => (field.required && !isDescribed(schema, field.name) ? field.name : []))

/** An offering at a lower position in the search results is seldom proposed. */
const goodPlace = 3

/** Checks the position of an offering in a search for its own example. @param place position from 1; undefined if not found */
export const checkPlace = (id: string, words: string, place: number | undefined): Finding => {
  const check = `found:${id}`
  const remedy = 'Write the description in the words of a buyer, and give examples of requests.'
  if (place === undefined) return wrong(check, `A search for its own words “${words}” does not find it.`, remedy)
  if (place > goodPlace) return warning(check, `A search for its own words “${words}” finds it at place ${place}.`, remedy)
  return ok(check, `A search for its own words “${words}” finds it at place ${place}.`)
}
