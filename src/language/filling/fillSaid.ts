import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { readHireSentence } from '../rules/phrases.ts'
import { fillRequest } from './fillRequest.ts'
import type { Filled, FillOf } from './request.ts'

type Said = Pick<FillOf, 'requirement' | 'now' | 'listing'> & { said: readonly string[] }

/**
 * Fills the inputs from all messages of a run. The first is the request; later ones answer questions while values are missing,
 * and change values otherwise.
 */
export const fillSaid = (of: Said): JsonObject => {
  const [request = '', ...later] = of.said.map(it => readHireSentence(it)?.task ?? it)
  let filled: Filled = fillRequest({ ...of, text: request })
  for (const text of later) {
    const asked = { fields: filled.missing.slice(0, limits.questionsAtOnce) }
    filled = fillRequest({ ...of, text, known: filled.values, ...(asked.fields.length > 0 && { asked }) })
  }
  return filled.values
}
