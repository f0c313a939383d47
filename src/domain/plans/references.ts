import { takesType } from '../files/fileTypes.ts'
import { isObject, type JsonObject } from '../json.ts'
import { takesPlainText } from '../schemas/testInput.ts'
import type { Conversion, Reference } from './planStates.ts'
import { toPointer } from './pointer.ts'

/** Words that make a limit one for all tasks together, in the languages of the butler's fixed sentences. */
const words = [
  ...[
    'in total',
    'total(?:ly)?',
    'altogether',
    'together',
    'all in all',
    'overall',
    'all in',
    '(?:for|on) (?:both|all|everything)',
  ],
  ...['insgesamt', 'zusammen', 'alles in allem', 'en total', 'en tout', 'au total', 'in totale', 'in tutto', 'no total'],
  ...['em total', 'ao todo', 'toplam(?:da)?', 'всего', 'в сумме', 'итого'],
]
const spaced = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'iu')
const unspaced = /一共|总共|總共|合計|全部で|合わせて/u

export const namesWhole = (text: string): boolean => spaced.test(text) || unspaced.test(text)

/** A text without the words that speak of all tasks together. */
export const withoutWhole = (text: string): string =>
  text.replace(new RegExp(spaced.source, 'giu'), ' ').replace(new RegExp(unspaced.source, 'gu'), ' ')

// Code decides which value of a deliverable fits a member of an input: by type, with conversions that lose nothing. What is
// ambiguous is asked, never guessed.

type Place = { path: string[]; schema: JsonObject; isRequired: boolean }

const typeOf = ({ type }: JsonObject): string | undefined => {
  const types = [type ?? []].flat().filter(it => it !== 'null')
  return types.length === 1 && typeof types[0] === 'string' ? types[0] : undefined
}

const isText = (schema: JsonObject): boolean => Object.keys(schema).length === 0 || typeOf(schema) === 'string'
const deepest = 3

/** The places in a deliverable that a reference may point at. Of a text, the whole of it. */
export const placesIn = (deliverable: JsonObject): Place[] =>
  isText(deliverable) ? [{ path: [], schema: { type: 'string' }, isRequired: true }] : inside(deliverable, [])

const inside = (schema: JsonObject, path: string[]): Place[] => {
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  return properties.flatMap(([name, it]) => {
    if (!isObject(it)) return []
    const own = [...path, name]
    const child: JsonObject = it as JsonObject
    const nested = typeOf(child) === 'object' && own.length < deepest ? inside(child, own) : []
    return [{ path: own, schema: child, isRequired: required.includes(name) }, ...nested]
  })
}

const scalars = ['string', 'number', 'integer', 'boolean']
const itemsOf = ({ items }: JsonObject): JsonObject => (isObject(items) ? (items as JsonObject) : {})
/** A text whose description says that it takes several values. */
const several = /\b(?:lists?|lines?|items?|several|each|one per|separated|joined)\b/i

/** How a value of one schema becomes one of another; undefined where it does not fit. */
export const conversionFor = (from: JsonObject, to: JsonObject): { as?: Conversion } | undefined => {
  const [given, wanted] = [typeOf(from), typeOf(to)]
  if (given === undefined || wanted === undefined) return undefined
  if (isFile(from) !== isFile(to)) return undefined
  // A value of a closed set or of a form fits only where the deliverable promises the same.
  if (!isPromised(from, to)) return undefined
  if (given === wanted && given !== 'array') return given === 'object' ? undefined : {}
  if (given === 'integer' && wanted === 'number') return {}
  const [itemFrom, itemTo] = [itemsOf(from), itemsOf(to)]
  if (given === 'array' && wanted === 'array')
    return typeOf(itemFrom) === typeOf(itemTo) && isPromised(itemFrom, itemTo) ? {} : undefined
  if (wanted === 'array')
    return scalars.includes(given) && typeOf(itemTo) === given && isPromised(from, itemTo) ? { as: 'list' } : undefined
  if (wanted !== 'string') return undefined
  if (given === 'array') {
    const isJoined = scalars.includes(typeOf(itemFrom) ?? '') && several.test(String(to.description ?? ''))
    return isJoined ? { as: 'joined' } : undefined
  }
  return scalars.includes(given) ? { as: 'text' } : undefined
}

/** Whether a value is a file, or a list of files: its id is no text. */
const isFile = (schema: JsonObject): boolean => schema.format === 'file' || itemsOf(schema).format === 'file'
const typesOf = ({ contentMediaType: types }: JsonObject) => (typeof types === 'string' ? types : '')

const isPromised = (from: JsonObject, to: JsonObject): boolean => {
  if (
    isFile(from) &&
    !typesOf(from)
      .split(',')
      .every(it => takesType(typesOf(to), it))
  )
    return false
  const allowed: unknown[] | undefined = Array.isArray(to.enum) ? to.enum : undefined
  const given: unknown[] = Array.isArray(from.enum) ? from.enum : []
  if (allowed && (given.length === 0 || !given.every(it => allowed.includes(it)))) return false
  if (to.pattern !== undefined && to.pattern !== from.pattern) return false
  return to.format === undefined || to.format === from.format
}

const visited = 'url uri link href website'.split(' ')
const guardedNames = new Set([
  ...'wallet address recipient payee payer beneficiary to destination email mail cc bcc'.split(' '),
  ...'host domain webhook callback endpoint iban account phone method'.split(' '),
  ...visited,
])
const guardedFormats = ['email', 'idn-email', 'uri', 'url', 'uri-reference', 'iri', 'hostname', 'ipv4', 'ipv6']

/** Whether a member says where something goes, or what is visited: a result never fills it without its user's word. */
export const isGuarded = (name: string, member: JsonObject): boolean => {
  const formats = [member.format, itemsOf(member).format]
  if (formats.some(it => typeof it === 'string' && guardedFormats.includes(it))) return true
  const named = wordsOf(name).flatMap(
    it => [it, it.replace(/s$/, ''), it.replace(/es$/, '')].find(one => guardedNames.has(one)) ?? [],
  )
  return named.some(it => !visited.includes(it) || !anyText.test(String(member.description ?? '')))
}

/** A member for a link that also takes any other text: “a link or a text”. */
const anyText = /\bor (?:an? |any )?(?:text|words|message)\b/i

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** The schema of a member of an input. An agent that takes plain text has the member `text`. */
export const memberOf = (requirement: JsonObject, name: string): JsonObject => {
  if (takesPlainText(requirement)) return { type: 'string' }
  const properties = isObject(requirement.properties) ? requirement.properties : {}
  const it = Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(it) ? (it as JsonObject) : {}
}

type Wanted = {
  requirement: JsonObject
  member: string
  /** The user's words for what is taken, such as "that summary". */
  words: string
  /** The earlier step: its number, its task in words, and the schema of its deliverable. */
  from: { number: number; task: string; deliverable: JsonObject }
}

/** The reference that fills a member; undefined where nothing fits, or several values fit alike. */
export const referenceFor = ({ requirement, member, words, from }: Wanted): Reference | undefined => {
  const schema = memberOf(requirement, member)
  const said = new Set(wordsOf(words).map(toRoot))
  const told = new Set(wordsOf(from.task).map(toRoot))
  const fitting = placesIn(from.deliverable).flatMap(place => {
    const fit = conversionFor(place.schema, schema)
    return fit ? [{ place, fit, score: scoreOf(place, { member, said, told, isAsIs: fit.as === undefined }) }] : []
  })
  const most = Math.max(...fitting.map(it => it.score))
  const [best, ...alike] = fitting.filter(it => it.score === most)
  if (!best || alike.length > 0) return undefined
  return { from: from.number, path: toPointer(best.place.path), ...best.fit }
}

type Signs = { member: string; said: Set<string>; told: Set<string>; isAsIs: boolean }

const scoreOf = ({ path, isRequired }: Place, { member, said, told, isAsIs }: Signs): number => {
  const names = wordsOf(path.at(-1) ?? '')
  const isNamed = names.length > 0 && names.join(' ') === wordsOf(member).join(' ')
  const isSaid = names.some(it => said.has(toRoot(it)))
  const isTold = names.some(it => told.has(toRoot(it)))
  return (isSaid ? 8 : 0) + (isNamed ? 4 : 0) + (isTold ? 4 : 0) + (isAsIs ? 2 : 0) + (isRequired ? 1 : 0)
}

/** The beginning of a word, so that “translate” and “translation” are alike. */
const toRoot = (word: string): string => word.slice(0, 6)
