import type { Json } from '../../domain/json.ts'
import { matchesPattern } from '../../domain/schemas/patterns.ts'
import { splitWords } from './words.ts'

// The kind of value that a field takes, by its type, format, name and description. A field about which nothing is known takes
// a text: whatever a provider calls it, a user may paste into it.

const kinds = [
  ...(['choice', 'boolean', 'number', 'list', 'object', 'url', 'email', 'wallet', 'code', 'phone', 'date', 'time'] as const),
  ...(['currency', 'language', 'country', 'place', 'address', 'unit', 'name', 'topic', 'manner', 'text'] as const),
]
export type Kind = (typeof kinds)[number]

/** What a schema says about one field. `allowed` are the values of its enum. */
export type Described = {
  name: string
  type: string
  description: string
  format: string
  allowed: readonly Json[]
  pattern?: string | undefined
}

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
  uuid: 'code',
  hostname: 'code',
  ipv4: 'code',
  ipv6: 'code',
}
const wordsByKind: Partial<Record<Kind, string>> = {
  url: 'url urls link website uri webpage homepage',
  email: 'email mail',
  wallet: 'wallet',
  code: 'postcode zip zipcode postal iban bic isbn symbol ticker id code sku vin plate branch hash commit version doi reference host hostname ip path directory folder handle username',
  phone: 'phone telephone mobile cellphone',
  date: 'date day deadline birthday since until',
  time: 'time hour clock',
  currency: 'currency',
  language: 'language lang locale',
  country: 'country nationality citizenship passport',
  place: 'city location place destination region town where area state capital station airport harbour harbor port venue origin',
  address: 'address street',
  unit: 'unit units',
  name: 'name surname forename artist author director actor cast starring singer band composer company doctor person player team customer owner stylist directed acting brand restaurant hotel employer',
  topic: `topic subject theme keyword about title term question query task request instruction instructions objective prompt
    problem product recipient goal occasion mood what description idea purpose symptom symptoms issue wish wishes item`,
  manner: 'tone style audience manner look vibe genre register',
}
const kindByWord = new Map<string, Kind>(
  kinds.flatMap(kind => splitWords(wordsByKind[kind] ?? '').map(word => [word, kind] as const)),
)
/** Kinds that may be derived from the description alone, such as "City to look up" or "Address of the page (URL)". */
const toldByDescription = new Set<Kind>(['url', 'email', 'date', 'time', 'language', 'place', 'country', 'currency'])

/** The kind of value that a single word names; undefined for most words. */
export const kindOfWord = (word = ''): Kind | undefined => kindByWord.get(word) ?? kindByWord.get(word.replace(/s$/, ''))

/** Words at the end of a name that say nothing about its value, such as "number" in `phone_number`. */
const isBare = (word: string) =>
  /^(?:\d+|[a-e]|number|num|no|value|string|field|input|from|to|in|out|on|by|of|at|for)$/.test(word)
/** Words that a name adds to such a value: a city name is a city, an e-mail address is an e-mail address. */
const isLent = (kind: Kind | undefined) => kind === 'name' || kind === 'address'
/** Kinds that a word keeps before any other: each `date_…` is a date, but an `email_…` may be a body or a subject. */
const kept = new Set<Kind>(['place', 'date', 'time', 'currency', 'country', 'unit', 'language', 'phone'])

const kindOfName = (words: readonly string[]): Kind | undefined => {
  const told = words.slice(0, words.findLastIndex(it => !isBare(it)) + 1)
  // A field that is just named "code" takes the code of a program as well.
  if (/^(?:source )?code$/.test(told.join(' '))) return undefined
  const head = kindOfWord(told.at(-1))
  const before = told.slice(0, -1).flatMap(it => kindOfWord(it) ?? [])
  if (isLent(head) && before.length > 0) return before.at(-1)
  return head ?? before.findLast(it => kept.has(it))
}

const lead =
  /^(?:(?:the|an?|your|our|user['’]?s?|which|what|in|for|from|to|at|of|start|end|target|full|current|new|optional)\s+)+/i
const phraseEnd =
  /\s+(?:to|of|for|from|in|by|with|on|at|that|which|where|when|whose|as|is|are|you|should|must|such|e\.g|or|and|into)\b|[.,;:(]/i
const formWord = /^(?:code|format|form|string)$/
/** The kind of what a description names first: "City to look up", "Name of the city", "The date format". */
const toldBy = (description: string): Kind | undefined => {
  const text = description.trim().replace(lead, '')
  const end = text.search(phraseEnd)
  const words = splitWords(end < 0 ? text : text.slice(0, end))
  const told = words.filter((it, at) => at === 0 || !formWord.test(it))
  const kind = kindOfName(told)
  if (isLent(kind) && /^\s*of\b/i.test(text.slice(end))) return toldBy(text.slice(end).replace(/^\s*of\s+/i, ''))
  return kind !== undefined && toldByDescription.has(kind) && kindOfWord(told.at(-1)) !== undefined ? kind : undefined
}

/** "Name of the person who gets it", "Customer's name", "Who gets it". */
const isNameOf =
  /^(?:the )?(?:full |first )?name of (?:the |a )?(?:person|recipient|customer|guest|child|owner|company|firm|client|patient|deceased|applicant|applying|organi[sz]ation)\b|^(?:the |your )?(?:person|recipient|customer|guest|child|owner|company|firm|client|patient|organi[sz]ation)['’]?s? name\b|^(?:who|person who|person that) (?:gets|receives|it is for)\b(?!.* and )|^(?:to |for )?whom\b/i
const isChainAddress = /\b(?:wallet|contract|token|on-?chain|0x)/i
const isClock = /\bHH:MM\b(?!:SS)(?<!(?:YYYY|%Y).*)/i
const isTicker = /(?<!\p{L})(?:ticker|stock symbol)(?!\p{L})/iu
const isNetAddress = /(?<![a-z])(?:ip|mac)(?:v[46])?[ _-]?address/i
const isPlacePoint = /\b(?:journey|city|place|point|location|station|airport|trip|travel)\b/i
const isJoint = (word: string) => /^(?:from|to|check|in|out)$/.test(word)

/** "Tracking number", "order no": a number of something is a code, whatever it is the number of. */
const isNumbered = (words: readonly string[], description: string) =>
  /^(?:number|no|nr)$/.test(words.at(-1) ?? '') && (words.length > 1 || /\bnumber\b/i.test(description))

const kindOfString = ({ name, description }: Described): Kind => {
  const words = splitWords(name)
  if (words.includes('address') && isChainAddress.test(`${words.join(' ')} ${description}`)) return 'wallet'
  const told = toldBy(description)
  if (isClock.test(description)) return 'time'
  if (words.every(isJoint)) return told ?? (/\bunits?\b/i.test(description) ? 'unit' : 'text')
  if (words.includes('source') && isPlacePoint.test(description)) return 'place'
  if (isTicker.test(description)) return 'code'
  const named = kindOfName(words) ?? (isNumbered(words, description) ? 'code' : undefined)
  // A place field whose description mentions a country and nothing smaller takes a country.
  const isCountry = /\bcountry\b/i.test(description) && !/\b(?:city|town|region|state)\b/i.test(description)
  if (isCountry && (named === 'place' || (named === undefined && told !== undefined))) return 'country'
  if (named === 'address')
    return told === 'email' || told === 'url' ? told : isNetAddress.test(`${name} ${description}`) ? 'code' : named
  if ((named === 'topic' || named === undefined) && isNameOf.test(description)) return 'name'
  // "What it must match" is told in a few words.
  return named ?? told ?? (/^what\b|\bin (?:your own |plain )?words\b/i.test(description) ? 'topic' : 'text')
}

/** Whether the two allowed values are the answers to a yes-or-no question. */
const isYesNo = (allowed: readonly Json[]) =>
  allowed.length === 2 &&
  ['falsetrue', 'noyes'].includes(
    allowed
      .map(it => String(it).toLowerCase())
      .sort()
      .join(''),
  )

const sentence = 'Some words, and 2 more.'
const personName = 'Ada Byron'
/** A text with a pattern that no sentence has is a code, whatever it is called. */
const isCoded = ({ pattern = '' }: Described) => pattern !== '' && matchesPattern(pattern, sentence) === false

const sample: Partial<Record<Kind, string>> = { time: '09:30', date: '2026-01-31' }
/** Texts that are neither a time nor a date: a code, a word, a phone number. */
const others = ['A1B2C3', 'word', '020 7946 0958', '+442079460958']
/** A pattern that a clock or a date has, and few other texts, tells a field for them. */
const kindOfPattern = ({ pattern = '' }: Described): Kind =>
  (['time', 'date'] as const).find(
    it => matchesPattern(pattern, sample[it] ?? '') && !others.some(one => matchesPattern(pattern, one)),
  ) ?? 'code'

/** The kind of value that a field takes. */
export const kindOf = (field: Described): Kind => {
  if (isYesNo(field.allowed)) return 'boolean'
  if (field.allowed.length > 0) return 'choice'
  const kind = kindsByType[field.type] ?? kindsByFormat[field.format] ?? kindOfString(field)
  // A name with an example in small letters is that of a thing: "e.g. tomato".
  if (kind === 'name' && /\b(?:e\.?g\.?,?|such as|like|for example,?) \p{Ll}{3,}(?!\p{L})/u.test(field.description)) return 'text'
  const isOpen =
    kind === 'text' || kind === 'topic' || (kind === 'name' && matchesPattern(field.pattern ?? '', personName) === false)
  return isOpen && isCoded(field) ? kindOfPattern(field) : kind
}
