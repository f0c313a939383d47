import type { Property } from '../requirement.ts'
import { monthPattern, weekdays } from './dates.ts'
import { toRole } from './kinds.ts'
import { codesByLanguage } from './languages.ts'

const notNames = new RegExp(
  `^(?:${monthPattern}|${weekdays}|I|I'\\w+|The|Mr|Mrs|Ms|Dr|USDC?|JSON|PDF|HTML|OK|Hi|Hello|Please|${[...codesByLanguage.keys()].join('|')})$`,
  'i',
)
// A point ends a name, unless it stands after initials: "St. Louis", "U.S. Open".
const part = String.raw`\p{Lu}(?:\.(?:\p{Lu}\.?)*|[\p{L}\p{M}\p{N}'’&-]*)`
const capitalised = String.raw`(?:(?:St|Ft|Mt|Mr|Mrs|Dr)\. )?${part}(?:(?:,? | (?:de|la|do|da|del|of|the|am|upon|and the) )(?:(?:St|Ft|Mt)\. )?${part}){0,5}`
const lowerCase = String.raw`(\p{Ll}[\p{L}\p{M}'’-]+(?: \p{Ll}[\p{L}\p{M}'’-]+)?)`
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

// In a message without capital letters a place is known only by standing last. After "to" a verb may stand as well.
const lastAfter = (preposition: string, message: string, property: Property): string[] => {
  if (!['in', 'near', 'from', 'to'].includes(preposition)) return []
  if (preposition === 'to' && (toRole(property) !== 'to' || !/\bfrom\s/.test(message))) return []
  const last = new RegExp(String.raw`\b${preposition}\s+${lowerCase}$`, 'u').exec(withoutEnd(message))?.[1]
  return last && !notAlone.test(last) ? [last] : []
}

const fewWords = 6

/** Names after the prepositions that fit the property: "from Rome", "in New York"; without any, a name inside the message. */
export const readPlaces = (message: string, property: Property): string[] => {
  const role = toRole(property)
  const placed = prepositions[`${role}`].flatMap(it => [...namesAfter(it, message), ...lastAfter(it, message, property)])
  if (role || placed.length > 0 || !property.required) return placed
  // One word with a capital may be anything: "a Concert".
  return namesIn(message).filter(it => it.includes(' ') || message.split(/\s+/, fewWords + 1).length <= fewWords)
}
