import type { Json } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import { findQuotations } from '../text/quotations.ts'
import { enumerated } from '../values/manners.ts'
import { isKnownPlace } from '../words/knownPlaces.ts'
import { unitOf } from '../words/measures.ts'
import { splitWords } from '../words/words.ts'

// A second call costs money, so its value must be of a form that is known by itself. Other words may be one name.

const byForm = new Set<Slot['kind']>([
  ...(['number', 'date', 'time', 'url', 'email', 'wallet', 'phone', 'code'] as const),
  ...(['currency', 'language', 'country', 'unit', 'choice'] as const),
])

/** Prepositions that stand before each of two places: "in Kent and in Surrey". */
const leads = /(?<!\p{L})(?:in|at|near|around|from|to|of)\s+(?:the\s+)?$/iu
const isLed = (text: string, value: string): boolean => {
  const at = text.indexOf(value)
  return at > 0 && /^\p{Lu}/u.test(value) && leads.test(text.slice(Math.max(0, at - 20), at))
}

const isQuoted = (text: string, value: string): boolean =>
  findQuotations(text).some(it => text.slice(it.start, it.end).trim() === value)

/** Whether a value is of a known form: a number, date, link or code, a choice, a known place, or a quotation. */
export const isRecognised = (slot: Slot, value: Json | undefined, text: string): boolean => {
  if (byForm.has(slot.kind) || slot.allowed.length > 0) return true
  if (typeof value !== 'string') return typeof value === 'number'
  if ((slot.kind === 'place' || slot.kind === 'address') && (isKnownPlace(value) || isLed(text, value))) return true
  return isQuoted(text, value)
}

/** Fields for a whole text or a topic: what is enumerated there is one thing, such as a poem about salt and pepper. */
const wholeText =
  /text|content|message|body|prompt|question|query|note|command|code|description|details|request|instruction|reason|brand|company|party|label|slogan/i
const isTitle = ({ name }: Slot) => /title/i.test(name)
export const isNaming = (slot: Slot): boolean =>
  (slot.kind !== 'topic' || isTitle(slot)) &&
  !['manner', 'list', 'object', 'boolean', 'number'].includes(slot.kind) &&
  !(slot.kind === 'text' && wholeText.test(slot.name)) &&
  slot.type === 'string'

const address = /^(?:https?:\/\/\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)$/iu
const fullName = /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}\p{N}.'’-]*)+$/u
/** Whether a text has the plural of the noun of an input before a value: "the artists", "the numbers of the parcels". */
const isPlural = (slot: Slot, text: string, first: string): boolean => {
  const noun = splitWords(slot.path.at(-1) ?? slot.name).findLast(it => !/^(?:name|id|number|type|title|code)$/.test(it)) ?? ''
  const before = text.slice(0, Math.max(0, text.indexOf(first))).toLowerCase()
  return noun.length > 2 && new RegExp(String.raw`(?<!\p{L})${noun.replace(/y$/, '(?:y|ie)')}e?s(?!\p{L})`, 'u').test(before)
}

/** Businesses are often called by two names: "Salt and Smoke". */
const business = /compan|firm|restaurant|cafe|shop|store|hotel|venue|customer|client|employer|supplier|recipient/i
/** Fields whose value is often two names, such as a brand or a title. */
const doubleName = new RegExp(
  `${business.source}|brand|title|party|label|band|artist|author|song|film|movie|book|show|event`,
  'i',
)
/** The end of the name of a business: "Marsh, Lowe and Partners". */
const ofBusiness =
  /^(?:Sons?|Daughters?|Brothers|Bros|Partners?|Associates|Co|Company|Friends|Family|Söhne|Töchter|Cie|Fils|Figli|Hijos)\.?$/u
/** Things that one is made of, whoever they are for: "a wedding card for Nell and Hugo". */
const madeFor =
  /(?<!\p{L})(?:card|letter|e-?mail|message|note|invitation|poem|song|logo|bill|invoice|table|cake|speech|toast|contract) (?:for|to|from) (?:the )?$/iu
/** Words before two names that ask for one thing each: "the stock prices of A and B". "A logo for A and B" is one thing. */
const ofSeveral = /(?:\p{L}[^su\s]s (?:of|for|by|from|between)(?: the)?|(?<!\p{L})both) $/u
/** Whether items are two names of one word for an input that takes one: "Python and Java". */
const areNames = (slot: Slot, items: readonly string[], text: string): boolean =>
  slot.required &&
  (slot.kind === 'text' || slot.kind === 'name') &&
  !madeFor.test(text.slice(0, text.indexOf(items[0] ?? ''))) &&
  (!doubleName.test(slot.name) || (business.test(slot.name) && ofSeveral.test(text.slice(0, text.indexOf(items[0] ?? ''))))) &&
  items.every(it => /^\p{Lu}[\p{L}+#]+$/u.test(it))

const plural = /[^su]s$/
const mostWords = 2
/** Whether an input takes one thing, such as a `metal`, and the text lists three or more, each in a word or two. */
const isOneOfMany = (slot: Slot, items: readonly string[], text: string): boolean =>
  items.length > mostWords &&
  text.includes(`${items[0]},`) &&
  (!isTitle(slot) || ofSeveral.test(text.slice(0, text.indexOf(items[0] ?? '')))) &&
  slot.required &&
  !plural.test(splitWords(slot.path.at(-1) ?? slot.name).at(-1) ?? '') &&
  items.every(it => splitWords(it).length <= mostWords)

const each = /(?<!\p{L})(?:both|each|respectively)(?!\p{L})/iu
const led = /(?<!\p{L})(for|about|of|in|at|on|to)\s(?:(?:my|our|the|an?)\s)?$/iu
const leadOf = (text: string, item: string) => led.exec(text.slice(0, text.indexOf(item)))?.[1]
/** Whether a text says that each of its items counts for itself: "both Dover and Calais", "about zinc and about lead". */
const areApart = (slot: Slot, items: readonly string[], text: string): boolean =>
  slot.required &&
  !doubleName.test(slot.name) &&
  items.every(it => splitWords(it).length <= mostWords) &&
  (each.test(text) || items.every(it => leadOf(text, it) !== undefined && leadOf(text, it) === leadOf(text, items[0] ?? '')))

/**
 * Whether the items of an enumeration are values of their own: addresses, full names, what a noun in the plural announces, or three
 * and more for an input that takes one.
 */
export const areItems = (slot: Slot, items: readonly string[], text: string): boolean =>
  !isOneName(items, text) && areOwn(slot, items, text)

/** Whether "&" or the end of the name of a business joins capitalised words: "Kessler & Sons". */
const isOneName = (items: readonly string[], text: string): boolean =>
  items.every(it => /^\p{Lu}/u.test(it)) && (ofBusiness.test(items.at(-1) ?? '') || text.includes(items.slice(-2).join(' & ')))

const areOwn = (slot: Slot, items: readonly string[], text: string): boolean =>
  items.every(it => enumerated(slot).has(it.toLowerCase())) ||
  areNames(slot, items, text) ||
  areApart(slot, items, text) ||
  items.every(it => isRecognised(slot, it, text) || address.test(it)) ||
  items.every(it => fullName.test(it)) ||
  isOneOfMany(slot, items, text) ||
  isPlural(slot, text, items[0] ?? '')

const pair = /(?<!\p{L})\p{L}[\p{L}\p{M}'’.-]*\s*[:=]?\s*-?\d[\d.,]*(?:\s?(?:%|k|€|\$|£))?(?![\p{L}\d])/giu
const labelOf = (said: string) => said.match(/^\p{L}[\p{L}\p{M}'’.-]*/u)?.[0].toLowerCase() ?? ''
const noLabel = /^(?:and|of|in|to|from|by|with|is|are|at|for|on|the|a|an|then|plus|or|over|under|than|about|between|until)$/
const fewest = 3

/** Whether a text is a row of numbers with labels, such as "rent 900, food 400 and fun 200". That is the data of one call. */
export const isLabelledRow = (text: string): boolean => {
  const labels = (text.match(pair) ?? []).map(labelOf).filter(it => !noLabel.test(it) && unitOf(it) === undefined)
  return labels.length >= fewest && new Set(labels).size === labels.length
}

const measured = /(\d[\d.,]*)\s*(\p{L}+)(?:\s*(?:,|and|&)?\s*)(\d[\d.,]*)\s*(\p{L}+)/giu
/** Units that are said together of one quantity, from the greater to the smaller one. */
const chains = [
  ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'],
  ['mile', 'yard', 'foot', 'inch'],
  ['stone', 'pound', 'ounce'],
  ['euro', 'cent'],
  ['dollar', 'cent'],
  ['pound', 'pence'],
  ['kilometre', 'metre', 'centimetre', 'millimetre'],
  ['kilogram', 'gram', 'milligram'],
  ['gallon', 'quart', 'pint', 'cup'],
  ['litre', 'millilitre'],
  ['degree', 'arcminute', 'arcsecond'],
]
const short: Record<string, string> = {
  ...{ yr: 'year', mo: 'month', wk: 'week', d: 'day', h: 'hour', hr: 'hour', min: 'minute', s: 'second', sec: 'second' },
  ...{ mi: 'mile', yd: 'yard', ft: 'foot', feet: 'foot', in: 'inch', inche: 'inch', st: 'stone', lb: 'pound', oz: 'ounce' },
  ...{ km: 'kilometre', m: 'metre', cm: 'centimetre', mm: 'millimetre', kg: 'kilogram', kilo: 'kilogram', g: 'gram' },
  ...{ kilometer: 'kilometre', meter: 'metre', centimeter: 'centimetre', millimeter: 'millimetre', mg: 'milligram' },
  ...{ l: 'litre', liter: 'litre', ml: 'millilitre', milliliter: 'millilitre' },
}
const toUnit = (word: string) => {
  const bare = word.toLowerCase().replace(/(?<=..)s$/, '')
  return short[bare] ?? bare
}

const feetAndInches = /\d\s?['’′]\s?\d{1,2}\s?(?:["”″]|''|’’)/u
/** Whether a text says one quantity in two units: "6 feet and 2 inches", "5'11\"". */
export const isOneQuantity = (text: string): boolean =>
  feetAndInches.test(text) ||
  [...text.matchAll(measured)].some(([, , first = '', , second = '']) => {
    const [a, b] = [toUnit(first), toUnit(second)]
    return chains.some(it => it.includes(a) && it.indexOf(b) > it.indexOf(a))
  })
