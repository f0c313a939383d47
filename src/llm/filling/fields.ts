import { materialWords } from '../../domain/question.ts'
import { splitWords, toTerms } from '../../domain/words.ts'
import type { Property } from '../requirement.ts'

/** The kind of value that a field takes, derived from its type, format, name and description. */
export type Kind =
  | 'choice'
  | 'boolean'
  | 'number'
  | 'list'
  | 'object'
  | 'url'
  | 'email'
  | 'wallet'
  | 'code'
  | 'date'
  | 'time'
  | 'currency'
  | 'language'
  | 'country'
  | 'place'
  | 'unit'
  | 'name'
  | 'text'
  | 'topic'
  | 'manner'
  | 'string'

/** Whether a field is the start or the end of a journey, conversion or translation. */
export type Role = 'from' | 'to'

export type Slot = Property & { kind: Kind; role: Role | undefined; terms: readonly string[] }

const kindsByType: Record<string, Kind> = {
  boolean: 'boolean',
  number: 'number',
  integer: 'number',
  array: 'list',
  object: 'object',
}
const kindsByFormat: Record<string, Kind> = {
  uri: 'url',
  url: 'url',
  'uri-reference': 'url',
  email: 'email',
  date: 'date',
  'date-time': 'date',
  time: 'time',
}
const wordsByKind = {
  url: 'url urls link website uri webpage homepage',
  email: 'email mail',
  wallet: 'wallet',
  code: 'postcode zip zipcode postal iban bic isbn symbol ticker id code sku vin plate phone telephone branch hash version doi reference',
  date: 'date day deadline birthday since until',
  time: 'time hour clock',
  currency: 'currency',
  language: 'language lang locale',
  country: 'country nationality citizenship passport',
  place:
    'city location place destination region town address where area state capital station airport harbour harbor port venue origin',
  unit: 'unit units',
  name: 'name artist author director actor cast starring singer band composer company doctor person player team customer owner stylist directed acting brand restaurant hotel employer',
  topic: `topic subject theme keyword about title term question query task request instruction instructions objective prompt
    problem product recipient goal occasion mood what description idea purpose symptom symptoms issue wish wishes item`,
  text: materialWords.join(' '),
  manner: 'tone style audience manner look vibe genre register',
} satisfies Partial<Record<Kind, string>>
const kindByWord = new Map<string, Kind>(
  Object.entries(wordsByKind).flatMap(([kind, words]) => words.split(/\s+/).map(word => [word, kind as Kind] as const)),
)
/** Kinds that may be derived from the description alone, such as "City to look up" or "Address of the page (URL)". */
const toldByDescription = new Set<Kind>(['url', 'email', 'date', 'time', 'language', 'place', 'country', 'currency'])

const kindsIn = (text: string): Kind[] =>
  splitWords(text).flatMap(word => kindByWord.get(word) ?? kindByWord.get(word.replace(/s$/, '')) ?? [])

const isChainAddress = /\b(?:wallet|contract|token|on-?chain|0x)/i

const stringKind = ({ name, description }: Property): Kind => {
  const words = splitWords(name)
  if (words.includes('address') && isChainAddress.test(`${name.replaceAll('_', ' ')} ${description}`)) return 'wallet'
  // Names made only of words such as "from" and "to" reveal no kind, so the description decides.
  const told = kindsIn(description).find(it => toldByDescription.has(it))
  if (words.every(it => it === 'from' || it === 'to' || it === 'check' || it === 'in' || it === 'out'))
    return told ?? (/\bunits?\b/i.test(description) ? 'unit' : 'string')
  if (words.includes('source') && /\b(?:journey|city|place|point|location|station|airport|trip|travel)\b/i.test(description))
    return 'place'
  const [first] = words
  // A place field whose description mentions a country and nothing smaller takes a country.
  if (
    /\bcountry\b/i.test(description) &&
    !/\b(?:city|town|region|state)\b/i.test(description) &&
    kindsIn(name).every(it => it === 'place')
  )
    return 'country'
  const named = kindsIn(name).findLast((kind, at, all) => kind !== 'name' || all.length === 1 || at === 0)
  if (named === 'text' && first === 'source' && words.length > 1) return told ?? 'string'
  return named ?? told ?? 'string'
}

/** Whether the two allowed values are the answers to a yes-or-no question. */
const isYesNo = ({ allowed }: Property) =>
  allowed.length === 2 &&
  ['falsetrue', 'noyes'].includes(
    allowed
      .map(it => String(it).toLowerCase())
      .sort()
      .join(''),
  )

const toKind = (property: Property): Kind => {
  if (isYesNo(property)) return 'boolean'
  if (property.allowed.length > 0) return 'choice'
  return kindsByType[property.type] ?? kindsByFormat[property.format] ?? stringKind(property)
}

const beginnings = new Set('from source origin departure depart start outbound leave'.split(' '))
const ends = new Set('to target destination arrival arrive end return back inbound until'.split(' '))
const toRole = ({ name }: Property): Role | undefined => {
  const words = splitWords(name)
  if (words.some(it => beginnings.has(it)) && !words.includes('year')) return 'from'
  return words.some(it => ends.has(it)) ? 'to' : undefined
}

/** Adds to a property of a schema its kind, its role and its terms. */
export const toSlot = (property: Property): Slot => ({
  ...property,
  kind: toKind(property),
  role: toRole(property),
  terms: toTerms(`${property.name} ${property.description}`),
})

/** Kinds whose value is free text in the user's own words. */
const wordKinds = new Set<Kind>(['text', 'topic', 'string', 'manner', 'name'])
/** Whether the value of a slot is free text. */
export const isWords = ({ kind }: Slot): boolean => wordKinds.has(kind)
