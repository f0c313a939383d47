import type { Json, JsonObject } from '../../domain/json.ts'
import { toTerms } from '../../domain/words.ts'
import { type Property, readJson, toProperties } from '../requirement.ts'
import { toKind } from './kinds.ts'
import { readNamed } from './labels.ts'
import { quotations, split } from './material.ts'
import { readNumbers, takesNumber } from './numbers.ts'
import { readHireSentence } from './phrases.ts'
import { readers } from './readers.ts'
import { isCorrection, isRequest, toCorrected } from './understand.ts'

const yesNo: Record<string, boolean> = { yes: true, yep: true, true: true, no: false, nope: false, false: false }
/** No answer to a question for a value. */
const noValue =
  /^(?:(?:ok(?:ay)?|thanks?|thank you|yes|no|sure|please|i don'?t know|i (?:have|am) no idea|not sure|whatever|any(?:thing)?|help|\?+)[\s,.!]*)+$/i

/** Kinds whose whole value a person types when asked for it. */
const freeKinds = new Set(['text', 'topic', 'question', 'request', 'string', 'place', 'language', 'date'])

/** Kinds whose value may be said in a sentence that is no part of it. */
const sentenceKinds = new Set(['string', 'name', 'place', 'date', 'time', 'language', 'choice', 'number'])
const wholeKinds = new Set(['text', 'string', 'question', 'topic'])
/** Longer messages are texts, and no list of answers. */
const answerChars = 200
/** The text beside the numbers of an answer is a name. */
const partWords = 5
/** A correction of one value is a few words. */
const correctedWords = 5
/** Typed without capitals a value is told from a wish by being short and no comparison: "cheaper" is no city. */
const plainValue = /^(?!(?:\S*er|less|more|better|another|different|something)\b)\S+(?: \S+){0,2}$/i

const toLines = (text: string) => text.split('\n').filter(it => it.trim())
const toList = (text: string) => text.split(/[\n,;]/).flatMap(it => it.trim() || [])

/** A text as the property wants it: first as it stands, then as JSON, as yes or no, as a list. Undefined when nothing fits. */
const convert = (value: Json, property: Property): Json | undefined => {
  if (typeof value !== 'string') return property.fits(value) ? value : undefined
  const text = value.trim()
  const sameLetters = property.allowed.find(it => String(it).toLowerCase() === text.toLowerCase().replace(/[.!]$/, ''))
  const forms: (Json | undefined)[] = [sameLetters, text, readJson(text), yesNo[text.toLowerCase()], toList(text)]
  return forms.find(form => form !== undefined && form !== '' && property.fits(form))
}

/** A single free text takes what is clearly marked as content, whatever its name is. */
const onlyText = (message: string, property: Property, properties: Property[]): Json[] => {
  const texts = properties.filter(it => it.required && it.type === 'string' && it.allowed.length === 0)
  if (texts.length !== 1 || texts[0] !== property || !freeKinds.has(toKind(property))) return []
  return [split(message).material, ...quotations(message)].filter(Boolean)
}

/** Numbers as their properties want them: as a number, or as the figure that a choice writes as text. */
const toFitting = (numbers: Map<string, number>, properties: Property[]): [string, Json][] =>
  [...numbers].flatMap(([name, value]) => {
    const property = properties.find(it => it.name === name)
    const fitting = [value, String(value)].find(it => property?.fits(it))
    return fitting === undefined ? [] : [[name, fitting] satisfies [string, Json]]
  })

/** Values that are not there for a property any more: each is said once for all that could take it. */
const takenBy = (values: Map<string, Json>, properties: Property[], property: Property): Set<Json> => {
  const choices = JSON.stringify(property.allowed)
  const alike = properties.filter(it => property.allowed.length === 0 || JSON.stringify(it.allowed) === choices)
  return new Set(alike.flatMap(it => values.get(it.name) ?? []))
}

/** What one message gives: by name first, then by what the values look like. No value is used for two properties. */
const read = (message: string, properties: Property[]): Map<string, Json> => {
  const named = readNamed(message, properties)
  const values = new Map<string, Json>()
  for (const property of properties) {
    const value = Object.hasOwn(named, property.name) ? convert(named[property.name] ?? null, property) : undefined
    if (value !== undefined) values.set(property.name, value)
  }
  const open = properties.filter(it => !values.has(it.name))
  for (const [name, value] of toFitting(readNumbers(message, open), open)) values.set(name, value)
  for (const property of properties.filter(it => !values.has(it.name))) {
    const taken = takenBy(values, properties, property)
    const marked = Object.keys(named).length === 0 ? onlyText(message, property, properties) : []
    const found = [...readers[toKind(property)](message, property), ...marked]
    const value = found.find(it => !taken.has(it) && property.fits(it))
    if (value !== undefined) values.set(property.name, value)
  }
  return values
}

const bareLead = /^(?:it(?:['’]?s| is)|that(?:['’]s| is)|(?:my|the) ([\p{L} ]{1,40}?) (?:is|are))\s+/iu

/**
 * The value of an answer in a sentence: "It's 42." is 42. Texts are taken as they stand; what is said of something else ("my name
 * is Ann", asked for a number) is no answer.
 */
const toBare = (text: string, property: Property): string | undefined => {
  const [lead, what] = (sentenceKinds.has(toKind(property)) && bareLead.exec(text.trim())) || []
  if (lead === undefined) return text
  const own = new Set(toTerms(`${property.name} ${property.description}`))
  const isMeant = what === undefined || toTerms(what).some(it => own.has(it))
  return isMeant ? text.trim().slice(lead.length).replace(/[.!]$/, '') : undefined
}

/** The answer to a question for one missing input: all of the message. */
const readBare = (message: string, missing: Property[]): [string, Json][] => {
  const lines = toLines(message)
  const texts = lines.length === missing.length ? lines : [message]
  return texts.flatMap((text, index) => {
    const property = missing[index]
    const bare = property && toBare(text, property)
    const value = property && bare !== undefined ? convert(bare, property) : undefined
    return property && value !== undefined ? [[property.name, value]] : []
  })
}

/** "Make it Porto": the one value that can become it. Only names, figures and choices are told apart from other words. */
const readCorrection = (message: string, known: Map<string, Json>, properties: Property[]): [string, Json][] => {
  const wanted = toCorrected(message)
  const found = read(wanted, properties)
  if (found.size > 0 || wanted.split(/\s+/).length > correctedWords) return [...found]
  const open = properties.flatMap(property => {
    const isOnly = known.size === 1 && plainValue.test(wanted)
    const isTold = property.allowed.length > 0 || /^[\p{Lu}\d"']/u.test(wanted) || isOnly
    const value = isTold && known.has(property.name) ? convert(wanted, property) : undefined
    return value === undefined ? [] : [[property.name, value] satisfies [string, Json]]
  })
  return open.length === 1 ? open : []
}

const joints = /\s*(?:[,;\n]|\band\b|\bfor\b)\s*/i
/** "Paris and 3 nights": what is left beside the numbers is the one text that is missing. */
const readParts = (message: string, missing: Property[], open: Property[]): [string, Json][] => {
  if (message.length > answerChars) return []
  const numbers = readNumbers(message, open)
  const [text, ...more] = missing.filter(it => !numbers.has(it.name) && !takesNumber(it))
  const parts = message.split(joints).filter(it => it.trim() && readNumbers(it, open).size === 0)
  const [part = ''] = parts
  if (numbers.size === 0 || parts.length !== 1 || !text || more.length > 0 || part.split(/\s+/).length > partWords) return []
  const value = convert(part.replace(/^(?:in|to|at|near)\s+/i, '').replace(/[.!]+$/, ''), text)
  return value === undefined ? [] : [...toFitting(numbers, open), [text.name, value]]
}

const answer = (message: string, known: Map<string, Json>, properties: Property[]): [string, Json][] => {
  const missing = properties.filter(it => it.required && !known.has(it.name))
  if (isCorrection(message)) return readCorrection(message, known, properties)
  const open = properties.filter(it => !known.has(it.name))
  const isNamed = Object.keys(readNamed(message, properties)).length > 0
  const parts = isNamed ? [] : readParts(message, missing, open)
  if (parts.length > 0) return parts
  const found = read(message, properties)
  if (isNamed || isRequest(message) || missing.length === 0) return [...found]
  if (noValue.test(message.trim())) return []
  // Asked for one text, a person sends the text: quotes and colons in it are part of it. Asked for two, a line each.
  const [first, second] = missing
  const isWhole = first !== undefined && second === undefined && wholeKinds.has(toKind(first))
  const isLines = missing.length > 1 && toLines(message).length === missing.length
  const isFound = missing.some(it => found.has(it.name))
  return isFound && !isWhole && !isLines ? [...found] : readBare(message, missing)
}

/**
 * The inputs that the user's words give, each allowed by its schema; what is not said is absent. The first message is the
 * request; later ones correct it or answer a question for what was missing.
 */
export const fill = ({ said, requirement }: { said: string[]; requirement: JsonObject }): JsonObject => {
  const [request = '', ...later] = said.map(it => readHireSentence(it)?.task ?? it)
  const properties = toProperties(requirement)
  const values = read(request, properties)
  for (const message of later) for (const [name, value] of answer(message, values, properties)) values.set(name, value)
  return Object.fromEntries(values)
}
