import type { Property } from '../requirement.ts'
import { monthPattern, weekdays, withoutDates } from './dates.ts'
import { toRole } from './kinds.ts'
import { codesByLanguage } from './languages.ts'

const notNames = new RegExp(
  `^(?:${monthPattern}|${weekdays}|I|I'\\w+|The|Mr|Mrs|Ms|Dr|USDC?|JSON|PDF|HTML|OK|Hi|Hello|Please|${[...codesByLanguage.keys()].join('|')})$`,
  'i',
)
// A point ends a name, unless it stands after initials: "St. Louis", "U.S. Open".
const part = String.raw`\p{Lu}(?:\.(?:\p{Lu}\.?)*|[\p{L}\p{M}\p{N}'’&-]*)`
const capitalised = String.raw`(?:(?:St|Ft|Mt|Mr|Mrs|Dr)\. )?${part}(?:(?:,? | (?:de|la|do|da|del|of|the|am|upon|and the) )(?:(?:St|Ft|Mt)\. )?${part}){0,5}`
const lowerCase = String.raw`(\p{Ll}[\p{L}\p{M}'’-]+(?: \p{Ll}[\p{L}\p{M}'’-]+){0,2}?)`
const notAlone =
  /^(?:an?|the|my|our|your|this|that|me|us|it|general|advance|detail|details|short|full|bullets?|words?|english|total|today|tomorrow|now|least|most|once|all|each|any|some|need|person|town|here|there|where|mind|addition|case|particular|order|stock|time|style|detail|which|what|scratch|home|work|about|another)\b/
const spokenEnd = /\s+(?:right now|now|today|tonight|tomorrow|this week|next week|please)$/i

const prepositions = {
  from: ['from'],
  to: ['to', 'in', 'for', 'at'],
  undefined: ['in', 'near', 'around', 'at', 'for', 'of', 'to'],
}

/** As much of the end of a message as can hold the last place. */
const endChars = 120
const withoutEnd = (message: string) =>
  message
    .trim()
    .slice(-endChars)
    .replace(/[\s?.!]*$/, '')
    .replace(spokenEnd, '')

/** As much of a message as is searched for names: behind it stands material. */
const nameChars = 4000

const clean = (name: string) => name.replace(/[,'’-]{1,9}$|['’]s$/, '')

/** Proper names after a word, "by Iris Murdoch". */
export const namesAfter = (word: string, message: string): string[] => {
  const after = String.raw`(?<![\p{L}\p{N}])(?:${word}|${word.toUpperCase()})\s+(?:the\s+city\s+of\s+)?(${capitalised})`
  return [...message.slice(0, nameChars).matchAll(new RegExp(after, 'gu'))]
    .map(it => clean(it[1] ?? ''))
    .filter(it => !notNames.test(it))
}

/** Proper names inside a message: a capital letter at the beginning of a sentence tells nothing. */
export const namesIn = (message: string): string[] => {
  const names = new RegExp(String.raw`(?<=[\p{Ll}\p{N},;] |["“(])${capitalised}`, 'gu')
  return [...message.slice(0, nameChars).matchAll(names)].map(it => clean(it[0])).filter(it => !notNames.test(it))
}

/** A name inside the message tells that its writer uses capital letters. */
const hasNames = (message: string) => /(?<=[\p{Ll}\p{N},;] )\p{Lu}\p{Ll}/u.test(message)
const joint = '(?:for|from|to|in|near|on|at|with|without|by|under|and|next|this|please|pl[sz])'
const afterPlace = String.raw`(?=\s*(?:$|[\d.,;:!?()]|\b${joint}\b))`
/** Where a place begins that no capital letter shows: "help me in finding" names none, nor does "a bus to take". */
const leads: Record<string, string> = {
  in: String.raw`(?<!\b(?:help|assist|interested|me|us) )\bin`,
  near: String.raw`\bnear`,
  from: String.raw`\bfrom`,
  to: String.raw`\bto(?! (?:be|do|go|get|see|have|make|take|find|buy|book|look|meet|come|leave|catch|visit|attend|reach|travel|fly|drive|stay|plan|rent|reserve)\b)`,
}
const going = String.raw`(?<=\b(?:go|going|fly|flying|drive|driving|travel|travell?ing|trip|tour|journey|flight|train|bus|tickets?) )`

// In a message without capital letters a place is known only by where it ends: with the message or before another part of it.
// After "to" a verb may stand as well, so it has to lead somewhere.
const plainAfter = (preposition: string, message: string, property: Property): string[] => {
  const lead = leads[preposition]
  if (!lead || (preposition === 'to' && toRole(property) !== 'to')) return []
  const start = preposition === 'to' && !/\bfrom\s/.test(message) ? `${going}${lead}` : lead
  const [text, end] = hasNames(message) ? [withoutEnd(message), '$'] : [withoutDates(message.slice(0, nameChars)), afterPlace]
  const places = [...text.matchAll(new RegExp(String.raw`${start}\s+(?!${joint}\b)${lowerCase}${end}`, 'gu'))]
  return places.map(it => it[1] ?? '').filter(it => !notAlone.test(it))
}

const fewWords = 6

/** Names after the prepositions that fit the property: "from Rome", "in New York"; without any, a name inside the message. */
export const readPlaces = (message: string, property: Property): string[] => {
  const role = toRole(property)
  const placed = prepositions[`${role}`].flatMap(it => [...namesAfter(it, message), ...plainAfter(it, message, property)])
  if (role || placed.length > 0 || !property.required) return placed
  // One word with a capital may be anything: "a Concert".
  return namesIn(message).filter(it => it.includes(' ') || message.split(/\s+/, fewWords + 1).length <= fewWords)
}
