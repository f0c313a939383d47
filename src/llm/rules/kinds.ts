import { splitWords } from '../../domain/words.ts'
import type { Property } from '../requirement.ts'

/** What sort of value a property takes, as far as its type, format, name and description tell. */
export type Kind =
  | 'choice'
  | 'boolean'
  | 'number'
  | 'list'
  | 'object'
  | 'url'
  | 'email'
  | 'date'
  | 'time'
  | 'name'
  | 'language'
  | 'place'
  | 'text'
  | 'topic'
  | 'question'
  | 'request'
  | 'string'

const kindsByType: Record<string, Kind> = {
  boolean: 'boolean',
  number: 'number',
  integer: 'number',
  array: 'list',
  object: 'object',
}
const kindsByFormat: Record<string, Kind> = { uri: 'url', url: 'url', email: 'email', date: 'date', 'date-time': 'date' }
const kindsByWord = Object.entries({
  url: 'url urls link website uri webpage homepage',
  email: 'email mail',
  date: 'date day deadline birthday',
  time: 'time hour',
  name: 'name artist author director actor cast starring singer band composer company brand doctor person recipient player team customer owner stylist',
  language: 'language lang locale',
  place: 'city location place country destination origin region town address where area state capital',
  topic: 'topic subject theme keyword keywords about title term',
  question: 'question query',
  request: 'task request instruction instructions objective',
  text: 'text content document article body passage paragraph code input message excerpt transcript source',
} satisfies Partial<Record<Kind, string>>).flatMap(([kind, words]) => words.split(' ').map(word => [word, kind] as const))
const kindByWord = new Map<string, Kind>(kindsByWord as [string, Kind][])

/** Kinds that a description may tell when the name does not: "City to look up", "Address of the page (URL)". */
const toldByDescription = new Set<Kind>(['url', 'email', 'date', 'time', 'language', 'place'])

const firstKind = (text: string) =>
  splitWords(text)
    .map(word => kindByWord.get(word))
    .filter(kind => kind !== undefined)

/** The kind of a property; plain `string` when nothing more is known. */
export const toKind = ({ name, type, format, description, allowed }: Property): Kind => {
  if (allowed.length > 0) return 'choice'
  const typed = kindsByType[type] ?? kindsByFormat[format]
  if (typed) return typed
  // In `source_language` and `text_url` the more special word wins: it stands last. `file_name` and `city_name` tell by the first.
  const named = firstKind(name).findLast((kind, at, all) => kind !== 'name' || all.length === 1 || at === 0)
  return named ?? firstKind(description).find(kind => toldByDescription.has(kind)) ?? 'string'
}

/** Where a value of a journey or a translation stands: after "from" or after "to". */
export const toRole = ({ name }: Property): 'from' | 'to' | undefined => {
  const words = new Set(splitWords(name))
  if (['from', 'source', 'origin', 'departure', 'start'].some(word => words.has(word))) return 'from'
  return ['to', 'target', 'destination', 'arrival', 'end'].some(word => words.has(word)) ? 'to' : undefined
}
