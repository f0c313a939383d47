import type { Property } from '../requirement.ts'
import { toRole } from './kinds.ts'
import { codesByLanguage } from './languages.ts'

const months = 'January|February|March|April|May|June|July|August|September|October|November|December'
const weekdays = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday'
const isoDate = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?(?![\d-])/g
const spokenDate = new RegExp(
  String.raw`\b(?:(?:${months}) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${months})(?:,? \d{4})?|(?:next |this )?(?:${weekdays})|today|tomorrow|tonight)\b`,
  'gi',
)

/** Dates in the order they are said. A property with a format takes ISO only: a date in words would be a guess. */
export const readDates = (message: string, { format }: Property): string[] => {
  const iso = [...message.matchAll(isoDate)].map(it => it[0])
  return format ? iso : [...iso, ...[...message.matchAll(spokenDate)].map(it => it[0])]
}

const notPlaces = new RegExp(
  `^(?:${months}|${weekdays}|I|The|USDC?|JSON|PDF|HTML|${[...codesByLanguage.keys()].join('|')})$`,
  'i',
)
const capitalised = String.raw`((?:\p{Lu}[\p{L}\p{M}'’.-]*)(?:(?:,? | (?:de|la|do|da|del|of|the|am|upon) )\p{Lu}[\p{L}\p{M}'’.-]*){0,4})`
const lowerCase = String.raw`(\p{Ll}[\p{L}\p{M}'’-]+(?: \p{Ll}[\p{L}\p{M}'’-]+)?)`
const notAlone =
  /^(?:an?|the|my|our|your|this|that|me|us|it|general|advance|detail|details|short|full|bullets?|words?|english|total|today|tomorrow|now|least|most|once|all|each|any|some)\b/
const spokenTime = /\s+(?:right now|now|today|tonight|tomorrow|this week|next week|please)$/i

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
    .replace(spokenTime, '')

const properAfter = (preposition: string, message: string): string[] => {
  const after = String.raw`\b(?:${preposition}|${preposition.toUpperCase()})\s+(?:the\s+city\s+of\s+)?${capitalised}`
  return [...message.matchAll(new RegExp(after, 'gu'))].map(it => (it[1] ?? '').replace(/[.,'’-]{1,9}$/, ''))
}

// In a message without capital letters a place is known only by standing last.
const lastAfter = (preposition: string, message: string): string[] => {
  if (!['in', 'near', 'from', 'to'].includes(preposition)) return []
  const last = new RegExp(String.raw`\b${preposition}\s+${lowerCase}$`, 'u').exec(withoutEnd(message))?.[1]
  return last && !notAlone.test(last) ? [last] : []
}

const placesAfter = (preposition: string, message: string): string[] =>
  [...properAfter(preposition, message), ...lastAfter(preposition, message)].filter(it => !notPlaces.test(it))

/** Names after the prepositions that fit the property: "from Rome", "in New York". */
export const readPlaces = (message: string, property: Property): string[] =>
  prepositions[`${toRole(property)}`].flatMap(it => placesAfter(it, message))
