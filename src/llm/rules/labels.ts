import { isObject, type JsonObject, jsonObject } from '../../domain/json.ts'
import { splitWords } from '../../domain/words.ts'
import { type Property, readJson } from '../requirement.ts'
import { toKind } from './kinds.ts'

/** Longer names are no words a person writes before a colon. */
const labelWords = 8

// Only letters and digits come out of splitWords, so a stranger's property name cannot change the pattern.
const labelPattern = (name: string): string | undefined => {
  const words = splitWords(name).slice(0, labelWords)
  return words.length === 0 ? undefined : words.join(String.raw`[\s_-]*`)
}

/** `text: …` and `text = …`; values end where the next label begins. */
const labelled = (message: string, properties: Property[]): Map<string, string> => {
  const places = properties.flatMap(({ name }) => {
    const pattern = labelPattern(name)
    const match = pattern && new RegExp(String.raw`(?<![\p{L}\p{N}])["']?${pattern}["']?\s*[:=](?!\/\/)\s*`, 'iu').exec(message)
    return match ? [{ name, from: match.index, to: match.index + match[0].length }] : []
  })
  const inOrder = places.sort((a, b) => a.from - b.from)
  return new Map(inOrder.map(({ name, to }, index) => [name, message.slice(to, inOrder[index + 1]?.from).trim()]))
}

/** `where topic is 'bees'`, `the title is Bees and ants`. */
const stated = (message: string, property: Property): string | undefined => {
  const pattern = labelPattern(property.name)
  if (!pattern) return undefined
  // "This text is important" says nothing about the text, so a text has to be quoted.
  const value =
    toKind(property) === 'text'
      ? String.raw`["'“](.{1,2000}?)["'”](?=[\s.,;]|$)`
      : String.raw`(?:["'“](.{1,2000}?)["'”](?=[\s.,;]|$)|([^\n.,;"'“]{1,300}?)(?=\s+and\s|[\n,;]|\.(?:\s|$)|$))`
  const match = new RegExp(String.raw`(?<![\p{L}\p{N}])${pattern}\s+(?:is|are)\s+${value}`, 'iu').exec(message)
  return (match?.[1] ?? match?.[2])?.trim()
}

const inQuotes = /^(["'`])([\s\S]*)\1[.,;]?$/
const unquote = (text: string) => inQuotes.exec(text)?.[2] ?? text.replace(/[,;]$/, '')

const pasted = (message: string): JsonObject => {
  const [start, end] = [message.indexOf('{'), message.lastIndexOf('}')]
  const value = start >= 0 && end > start ? readJson(message.slice(start, end + 1)) : undefined
  return isObject(value) ? jsonObject.parse(value) : {}
}

/** What a message gives by name: as pasted JSON, as `name: value`, as `name is value`. Texts are not converted yet. */
export const readNamed = (message: string, properties: Property[]): JsonObject => {
  const json = pasted(message)
  const labels = labelled(message, properties)
  const entries = properties.map(property => {
    const text = labels.get(property.name) || stated(message, property)
    return [property.name, Object.hasOwn(json, property.name) ? json[property.name] : text && unquote(text)] as const
  })
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])))
}
