import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isObject, type Json, type JsonObject, json, jsonObject } from '../../src/domain/json.ts'

/** The right call of a query: `any-of` lists the accepted values of each argument, `exact` gives the one. */
export const call = z.object({ offering: z.string(), args: z.record(z.string(), json), match: z.enum(['any-of', 'exact']) })
export type Call = z.infer<typeof call>

/** Spelling, blanks and punctuation are no difference: "New York, NY" is "new york ny". */
const plain = (text: string) => text.toLowerCase().replace(/[\s,./\-_*^'"’“”]+/g, '')

const isSame = (a: Json, b: Json): boolean => {
  if (typeof a === 'string' && typeof b === 'string') return plain(a) === plain(b)
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((it, at) => isSame(it, b[at] ?? null))
  if (isObject(a) && isObject(b)) return isAccepted(jsonObject.parse(a), jsonObject.parse(b))
  return isDeepStrictEqual(a, b)
}

const isOneOf = (accepted: Json, value: Json): boolean =>
  (Array.isArray(accepted) ? accepted : [accepted]).some(it => isSame(it, value))

/** Members of an accepted object are lists of accepted values in their turn. */
const isAccepted = (accepted: JsonObject, value: JsonObject): boolean =>
  Object.keys({ ...accepted, ...value }).every(name => name in accepted && isOneOf(accepted[name] ?? null, value[name] ?? ''))

/** An argument that may be left out lists the empty text among its values. */
const isOptional = (accepted: Json): boolean => Array.isArray(accepted) && accepted.includes('')

/**
 * How well an input does as the arguments of a call. `asked` counts the arguments that had to be given and those that were
 * given without need: an invented one costs as much as a missing one.
 */
export const compareCall = ({ args, match }: Call, input: JsonObject): { right: number; asked: number } => {
  const names = [...new Set([...Object.keys(args), ...Object.keys(input)])]
  const counted = names.filter(name => name in input || !(match === 'any-of' && isOptional(args[name] ?? null)))
  const isRight = (name: string) => {
    const [wanted, given] = [args[name], input[name]]
    if (wanted === undefined || given === undefined) return false
    // A set without types gives 3 as "3": the same words of the user.
    return match === 'exact' ? isSame(wanted, given) || isSame(String(wanted), String(given)) : isOneOf(wanted, given)
  }
  return { right: counted.filter(isRight).length, asked: counted.length }
}
