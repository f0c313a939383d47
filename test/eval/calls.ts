import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isObject, type Json, type JsonObject, json, jsonObject } from '../../src/domain/json.ts'

/** The expected call of a query: `any-of` lists the accepted values of each argument, `exact` gives the only one. */
export const call = z.object({ offering: z.string(), args: z.record(z.string(), json), match: z.enum(['any-of', 'exact']) })
export type Call = z.infer<typeof call>

/** Case, spaces and punctuation make no difference: "New York, NY" equals "new york ny". */
const plain = (text: string) => text.toLowerCase().replace(/[\s,./\-_*^'"’“”]+/g, '')

const isSame = (a: Json, b: Json): boolean => {
  if (typeof a === 'string' && typeof b === 'string') return plain(a) === plain(b)
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((it, at) => isSame(it, b[at] ?? null))
  if (isObject(a) && isObject(b)) return isAccepted(jsonObject.parse(a), jsonObject.parse(b))
  return isDeepStrictEqual(a, b)
}

const isOneOf = (accepted: Json, value: Json): boolean =>
  (Array.isArray(accepted) ? accepted : [accepted]).some(it => isSame(it, value))

/** The members of an accepted object are lists of accepted values again. */
const isAccepted = (accepted: JsonObject, value: JsonObject): boolean =>
  Object.keys({ ...accepted, ...value }).every(name => name in accepted && isOneOf(accepted[name] ?? null, value[name] ?? ''))

/** An optional argument has the empty text among its accepted values. */
const isOptional = (accepted: Json): boolean => Array.isArray(accepted) && accepted.includes('')

/**
 * Compares an input with the arguments of a call. `asked` counts the required arguments and the unnecessary ones that were
 * given, so that an invented argument costs as much as a missing one.
 */
export const compareCall = ({ args, match }: Call, input: JsonObject): { right: number; asked: number } => {
  const names = [...new Set([...Object.keys(args), ...Object.keys(input)])]
  const counted = names.filter(name => name in input || !(match === 'any-of' && isOptional(args[name] ?? null)))
  const isRight = (name: string) => {
    const [wanted, given] = [args[name], input[name]]
    if (wanted === undefined || given === undefined) return false
    // A set without types writes 3 as "3", which counts as equal.
    return match === 'exact' ? isSame(wanted, given) || isSame(String(wanted), String(given)) : isOneOf(wanted, given)
  }
  return { right: counted.filter(isRight).length, asked: counted.length }
}
