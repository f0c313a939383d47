import type { Json } from '../../domain/json.ts'
import { respell } from '../../domain/spelling.ts'
import { splitWords, toTerms } from '../../domain/words.ts'
import type { Property } from '../requirement.ts'
import { readDates, readTimes } from './dates.ts'
import { type Kind, toRole } from './kinds.ts'
import { codesByLanguage, languagesIn } from './languages.ts'
import { readLists } from './lists.ts'
import { quotations, split } from './material.ts'
import { takesNumber } from './numbers.ts'
import { readPlaces } from './proper.ts'
import { names, strings } from './strings.ts'

/** Values of one kind that a message may hold for a property, best first. */
type Reader = (message: string, property: Property) => Json[]

/** Two choices that are the two answers to a yes-or-no question. */
const opposites = [
  ['true', 'false'],
  ['yes', 'no'],
]
const isYesNo = ({ allowed }: Property) =>
  opposites.some(pair => allowed.length === 2 && pair.every(word => allowed.some(it => String(it).toLowerCase() === word)))

/** A bare answer is a word or two. */
const bareWords = 3

/** Of the choices that are said, the one that stands where a journey or a translation begins or ends. */
const placed = (text: string, said: Json[], role: 'from' | 'to'): Json[] => {
  const isBare = text.trim().split(' ').length <= bareWords
  const leadOf = (value: Json) =>
    text
      .slice(0, text.indexOf(` ${splitWords(String(value)).join(' ')} `))
      .split(' ')
      .at(-1) ?? ''
  const roleOf = (value: Json) =>
    ['to', 'into', 'in'].includes(leadOf(value)) ? 'to' : isBare && leadOf(value) !== 'from' ? role : 'from'
  const fitting = said.filter(it => roleOf(it) === role)
  return fitting.length === 1 ? fitting : []
}

const exactChoices: Reader = (message, property) => {
  if (isYesNo(property)) {
    const [said] = booleans(message, { ...property, type: 'boolean' })
    return said === undefined ? [] : property.allowed.filter(it => /^(?:true|yes)$/i.test(String(it)) === said)
  }
  // A figure is a choice only beside its word, where the numbers are read.
  if (takesNumber(property)) return []
  const text = ` ${splitWords(message).join(' ')} `
  const isSaid = (value: Json) => toTerms(String(value)).length > 0 && text.includes(` ${splitWords(String(value)).join(' ')} `)
  const said = property.allowed.filter(isSaid)
  const role = toRole(property)
  if (role && said.length > 0) return placed(text, said, role)
  if (said.length === 1) return said
  const named = languagesIn(message).filter(it => !role || it.role === role)
  const spoken = named.flatMap(({ name }) => [name, name.toLowerCase(), codesByLanguage.get(name.toLowerCase()) ?? name])
  const [only, ...others] = property.allowed.filter(value => spoken.includes(String(value)))
  if (only !== undefined && others.length === 0) return [only]
  // Several were mentioned: only the one beside the property's name was meant for it.
  const word = splitWords(property.name).at(-1) ?? ''
  return word ? said.filter(value => text.includes(` ${splitWords(String(value)).join(' ')} ${word} `)) : []
}

/** As much of a request as is read twice. */
const respeltChars = 1000
/**
 * What a reader finds when words of the request that are misspelt from known ones are put right; such a guess comes last. Words of
 * grammar and those that name or describe the property are spelt right: a price is not "pricey".
 */
const respelt =
  (reader: Reader, knownTo: (property: Property) => string[]): Reader =>
  (message, property) => {
    const found = reader(message, property)
    if (found.length > 0) return found
    const own = new Set(toTerms(`${property.name} ${property.description}`))
    const isSpelt = (word: string) => toTerms(word).every(it => own.has(it))
    const words = splitWords(split(message).request.slice(0, respeltChars))
    const known = knownTo(property)
    const right = words.map(it => (isSpelt(it) ? it : respell(it, known))).join(' ')
    return reader(right, property)
  }
const choices = respelt(exactChoices, ({ allowed }) => allowed.flatMap(it => splitWords(String(it))))

const booleans: Reader = (message, { name, type }) => {
  if (type !== 'boolean') return []
  const words = toTerms(name).filter(word => !['includ', 'enabl', 'us', 'allow', 'is', 'ha'].includes(word))
  // Negations are stop words, so the sentence is read with them.
  const text = splitWords(message)
  const at = text.findIndex(
    (_, index) => words.length > 0 && words.every((word, offset) => toTerms(text[index + offset] ?? '')[0] === word),
  )
  if (at < 0) return []
  return [
    !text.slice(Math.max(0, at - 3), at).some(word => ['no', 'not', 'without', 'don', 'exclude', 'skip', 'never'].includes(word)),
  ]
}

const exactLanguages: Reader = (message, property) => {
  const role = toRole(property)
  const all = languagesIn(message)
  const fitting = role
    ? all.filter(it => it.role === role)
    : [...all.filter(it => it.role === 'to'), ...all.filter(it => !it.role)]
  const wantsCode = /\bISO[ -]?639|\bcode\b/i.test(property.description)
  return fitting.map(({ name }) => (wantsCode ? (codesByLanguage.get(name.toLowerCase()) ?? name) : name))
}

const languages = respelt(exactLanguages, () => [...codesByLanguage.keys()])

const matches = (pattern: RegExp) => (message: string) => [...message.matchAll(pattern)].map(it => it[0])

const materials: Reader = message => {
  const { material } = split(message)
  const [quoted] = quotations(message)
  return [material, quoted ?? ''].filter(Boolean)
}

const about = /\b(?:about|on|regarding|concerning|on the (?:topic|subject) of)\s+([^\n.,;:!?]{2,200})/i
const tail = /\s+(?:in|for|with|within|under|at|by|using|please|to)\b.*$/i
const topics: Reader = message => {
  const said = about.exec(split(message).request)?.[1]
  return [...quotations(message), ...(said ? [said.replace(tail, '').trim()] : [])]
}

const questions: Reader = message => {
  const asked = /(?:^|[.!:\n]\s+)([^.!?\n]{3,500}\?)\s*$/.exec(message.trim().slice(-600))?.[1]
  return [...quotations(message), ...(asked ? [asked.trim()] : [])]
}

/** How each kind is found. Kinds without a reader come only by name or as a bare answer. */
export const readers: Record<Kind, Reader> = {
  choice: choices,
  boolean: booleans,
  number: () => [],
  list: readLists,
  object: () => [],
  url: matches(/\bhttps?:\/\/[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?]/gi),
  email: matches(/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/g),
  date: readDates,
  time: readTimes,
  name: names,
  language: languages,
  place: readPlaces,
  text: materials,
  topic: topics,
  question: questions,
  request: message => [message.trim()],
  string: strings,
}
