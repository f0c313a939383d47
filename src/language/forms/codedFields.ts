import { isObject, type JsonObject } from '../../domain/json.ts'
import { matchesPattern } from '../../domain/schemas/patterns.ts'

// Values that only one kind of field takes: numbers of vehicles, accounts, parcels and firms, which a pattern describes.

/** Texts of everyday messages. A pattern that one of them matches describes nothing of its own. */
const everyday = [
  'word',
  'Some words, and 2 more.',
  'A1',
  '12',
  '2026',
  '12345',
  '09:30',
  '2026-01-31',
  '2026-01',
  '+4420718387',
  '1.5',
]

/** Most fields of one requirement that are compared. */
const mostFields = 16

/** The patterns of the required fields whose values tell themselves from all other words. */
const patternsOf = ({ required, properties }: JsonObject): string[] => {
  const names = Array.isArray(required) ? required : []
  const fields = isObject(properties) ? properties : {}
  return names.slice(0, mostFields).flatMap(name => {
    const field = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined
    const pattern = isObject(field) && field.type === 'string' ? field.pattern : undefined
    return typeof pattern === 'string' && everyday.every(it => matchesPattern(pattern, it) === false) ? [pattern] : []
  })
}

/** Whether a requirement needs a value that tells itself by its form. */
export const takesCode = (requirement: JsonObject): boolean => patternsOf(requirement).length > 0

const readChars = 2_000
const mostCodes = 12
const address = /\bhttps?:\/\/\S+|\S+@\S+|\b0x[0-9a-f]+\b/gi
/** A word with digits: letters among them, or many. */
const code =
  /(?<![\p{L}\p{N}_./:-])(?=[\p{L}_-]{0,20}\d)(?:(?=\d*[\p{L}_-])[\p{L}\p{N}_-]{6,40}|\d{8,40})(?![\p{L}\p{N}_]|[./:-][\p{L}\p{N}])/gu
/** Dates, and numbers with their unit. */
const noCode = /^\d{4}-\d{2}(?:-\d{2})?$|^\d{1,2}-\d{1,2}-\d{2,4}$|^\d+-?\p{L}+$/u

/** The codes of a message, as said. */
export const findCodes = (text: string): string[] =>
  [...text.slice(0, readChars).replace(address, ' ').matchAll(code)]
    .map(([said]) => said)
    .filter(it => !noCode.test(it))
    .slice(0, mostCodes)

/** A message without its codes, which no listing has among its words. Their form is compared apart. */
export const withoutCodes = (text: string): string => findCodes(text).reduce((left, it) => left.replace(it, ' '), text)

/** Whether a message has a value that a requirement needs and that no other words look like. */
export const hasCodeFor = (text: string, requirement: JsonObject): boolean => {
  const patterns = patternsOf(requirement)
  if (patterns.length === 0) return false
  const said = findCodes(text).flatMap(it => [it, it.toUpperCase()])
  return patterns.some(pattern => said.some(it => matchesPattern(pattern, it)))
}
