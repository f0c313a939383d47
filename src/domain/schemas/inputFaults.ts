import { z } from 'zod'
import { isObject } from '../json.ts'
import { toQuotable } from '../text/quotableText.ts'

// What is wrong with an input, in a sentence that names the member. The library's own messages are about its types.

/** A fault of an input: where, as a JSON pointer, and what, as a sentence. `isTooBig`: it has too many parts or characters. */
export type InputFault = { pointer: string; words: string; isTooBig: boolean }

type Issue = z.core.$ZodIssue

/** Parses an input by a schema. Returns its first fault if it does not fit. */
export const parseOrFault = <S extends z.ZodType>(schema: S, raw: unknown): { data: z.output<S> } | { fault: InputFault } => {
  // Messages of our own schemas stay. All others are empty, and written here.
  const parsed = schema.safeParse(raw, { error: () => '' })
  if (parsed.success) return { data: parsed.data }
  const [issue] = parsed.error.issues
  const strange = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const pointer = `/${[...(issue?.path ?? []), ...strange].map(String).join('/')}`
  const words = issue ? wordsOf(schema, issue, raw) : 'It does not fit.'
  return { fault: { pointer, words, isTooBig: issue?.code === 'too_big' } }
}

const wordsOf = (schema: z.ZodType, issue: Issue, raw: unknown): string =>
  issue.code === 'unrecognized_keys'
    ? toUnknown(issue.keys, issue.path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : []).trim()
    : `${toWords(issue, raw)}${unknownWords(schema, issue, raw)}`

const valueAt = (raw: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, step) => (typeof value === 'object' && value ? Reflect.get(value, step) : undefined), raw)

const nameOf = ({ path }: Issue): string => {
  const last = path.findLast(it => typeof it === 'string')
  const at = path.at(-1)
  if (last === undefined) return 'The input'
  return toQuotable(typeof at === 'number' ? `Entry ${at + 1} of ${last}` : last, 80)
}

const toWords = (issue: Issue, raw: unknown): string => {
  if (issue.message !== '') return issue.message
  const inner = issue.code === 'invalid_union' ? nearestBranch(issue) : undefined
  if (inner) return toWords({ ...inner, path: [...issue.path, ...inner.path] }, raw)
  const name = nameOf(issue)
  const given = valueAt(raw, issue.path)
  if (issue.path.length > 0 && given === undefined && issue.code !== 'custom')
    return `${name} is missing. It must be ${wantedBy(issue) ?? 'given'}.`
  if (issue.code === 'too_big' && issue.origin === 'string' && typeof given === 'string')
    return `That is too long: ${toDigits(given.length)} of ${toDigits(Number(issue.maximum))} characters.`
  return `${name} ${faultOf(issue)}.`
}

const faultOf = (issue: Issue): string => {
  if (issue.code === 'too_small') return tooSmall(issue)
  if (issue.code === 'too_big') return tooBig(issue)
  if (issue.code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}`
  if (issue.code === 'invalid_format') return formatWords[issue.format] ?? 'does not have the required form'
  const wanted = wantedBy(issue)
  return wanted ? `must be ${wanted}` : 'is not valid'
}

/** The branch of a union whose type fits, of which something inside does not. */
const nearestBranch = ({ errors }: z.core.$ZodIssueInvalidUnion): Issue | undefined =>
  errors.map(([first]) => first).find(it => it && (it.path.length > 0 || !['invalid_type', 'invalid_value'].includes(it.code)))

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
  bigint: 'a whole number',
  nan: 'a number',
}

/** What would fit instead: `a text`, `one of a, b`, `a text or a number`; undefined where that says nothing. */
const wantedBy = (issue: Issue): string | undefined => {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? 'of another kind'
  if (issue.code === 'invalid_value')
    return issue.values.length === 1 ? toValue(issue.values[0]) : `one of ${toList(issue.values.map(toValue))}`
  if (issue.code !== 'invalid_union') return undefined
  const each = issue.errors.flatMap(([first]) => (first && first.path.length === 0 ? (wantedBy(first) ?? []) : []))
  const wanted = [...new Set(each)].filter(it => it !== 'null')
  return wanted.length > 0 ? wanted.join(' or ') : undefined
}

const toValue = (it: unknown): string => (typeof it === 'string' ? it : String(it))

const tooSmall = ({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string => {
  const least = toDigits(Number(minimum))
  if (origin === 'string') return minimum === 1 ? 'must not be empty' : `must have at least ${least} characters`
  if (origin === 'array' || origin === 'set') return `must have at least ${least} ${minimum === 1 ? 'entry' : 'entries'}`
  return `must be ${inclusive === false ? 'more than' : 'at least'} ${least}`
}

const tooBig = ({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): string => {
  const most = toDigits(Number(maximum))
  if (origin === 'array' || origin === 'set') return `must have at most ${most} ${maximum === 1 ? 'entry' : 'entries'}`
  return `must be ${inclusive === false ? 'less than' : 'at most'} ${most}`
}

const formatWords: Record<string, string> = {
  url: 'must be a URL',
  email: 'must be an e-mail address',
  uuid: 'must be a UUID',
  date: 'must be a date, as 2026-03-14',
  datetime: 'must be a time by ISO 8601, as 2026-03-14T09:30:00Z',
}

/** Names in a list at most, because some lists have hundreds. */
const listed = 12
const toList = (names: string[]): string =>
  `${names
    .slice(0, listed)
    .map(it => toQuotable(it, 40))
    .join(', ')}${names.length > listed ? ' and others' : ''}`

const toDigits = (count: number) => count.toLocaleString('en-US')

/** Where a member of the input is missing: the members that were sent and are not known, one of which may be meant. */
const unknownWords = (schema: z.ZodType, { path, code }: Issue, raw: unknown): string => {
  const [missing, ...more] = path
  if (typeof missing !== 'string' || more.length > 0 || code === 'custom' || !isObject(raw) || raw[missing] !== undefined)
    return ''
  if (!(schema instanceof z.ZodObject) || isOpen(schema)) return ''
  const strange = Object.keys(raw).filter(it => !Object.hasOwn(schema.shape, it))
  return strange.length === 0 ? '' : toUnknown(strange, [missing])
}

/** Whether a schema takes members that it does not name. */
const isOpen = ({ def }: z.ZodObject): boolean => def.catchall !== undefined && !(def.catchall instanceof z.ZodNever)

/** Names the members that are not known, or the one that was probably meant. */
const toUnknown = (strange: string[], known: string[]): string => {
  const [near] = strange.flatMap(it => known.flatMap(name => (isNear(it, name) ? [{ it, name }] : [])))
  return near
    ? ` ${toQuotable(near.it, 40)} is not known here; did you mean ${near.name}?`
    : ` Not known here: ${toList(strange)}.`
}

/** Whether a name is short for another, its other spelling (chainId, chain_id), or one letter away from it. */
const isNear = (name: string, known: string): boolean => {
  const [one, other] = [name, known].map(it => it.toLowerCase().replace(/[_-]/g, ''))
  if (!one || !other || one.length > 40) return false
  if (other.startsWith(one) || one.startsWith(other)) return true
  if (other.length < 4) return false
  const least = Math.max(one.length, other.length) - 1
  const same = (from: number, step: 1 | -1) => {
    let count = 0
    while (count < least && one.at(from + count * step) === other.at(from + count * step)) count += 1
    return count
  }
  // Two letters may differ if they are neighbours, because swapped letters are the most common mistake.
  const differing = one.length === other.length ? 1 : 0
  return Math.abs(one.length - other.length) <= 1 && same(0, 1) + same(-1, -1) >= least - differing
}
