import type { Question } from '../../domain/runs/question.ts'
import { fromWall, toWall } from './wallTime.ts'

/** A name that can precede a colon, and a value that the service reads as a whole. */
const plainName = /^[a-z]+$/i
const plainValue = /^[\p{L}\d](?:[\p{L}\d -]*[\p{L}\d])?$/u

/** Converts an entered text to the schema's type. Text that does not fit is sent unchanged, and the butler asks again. */
const toValue = ({ form }: Question, typed: string): unknown => {
  const text = typed.trim()
  // A text is sent as it was typed, with its blanks and line breaks.
  if (form?.format === 'date-time' && toWall(text)) return fromWall(toWall(text), text)
  if (!form || form.type === 'string') return form?.enum?.find(it => String(it) === text) ?? typed
  if (form.type === 'array' && !text.startsWith('[')) return text.split('\n').flatMap(line => line.trim() || [])
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Joins the answers to all questions into one message with field names, such as "city: London, nights: 3". If that would be
 * ambiguous, the message is JSON.
 */
export const toAnswer = (questions: Question[], values: Record<string, string>): string => {
  const answers = questions.map(it => ({ field: it.field, value: toValue(it, values[it.field] ?? '') }))
  const isPlain = answers.every(({ field, value }) => plainName.test(field) && plainValue.test(String(value)))
  return isPlain
    ? answers.map(({ field, value }) => `${field}: ${value}`).join(', ')
    : JSON.stringify(Object.fromEntries(answers.map(({ field, value }) => [field, value])))
}

/** Formats a message for its author: an answer that was sent as JSON gets one line per field. */
export const toShown = (message: string): string =>
  membersOf(message)
    ?.map(([name, value]) => `${name}: ${value}`)
    .join('\n') ?? message

/** Returns the members of a text that is a JSON object; otherwise undefined. */
export const membersOf = (text: string): [string, string][] | undefined => {
  try {
    const value: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    if (typeof value !== 'object' || value === null) return undefined
    return Object.entries(value).map(([name, it]) => [name, typeof it === 'string' ? it : JSON.stringify(it)])
  } catch {
    return undefined
  }
}
