import type { Question } from '../../domain/question.ts'

/** A word that stands before a colon and is nothing else, and a value that no reader takes apart. */
const plainName = /^[a-z]+$/i
const plainValue = /^[\p{L}\d][\p{L}\d -]*$/u

/** What was typed or chosen, as the schema's type wants it; a text that is none stays one, and the butler asks again. */
const toValue = ({ form }: Question, text: string): unknown => {
  if (!form || form.type === 'string') return form?.enum?.find(it => String(it) === text) ?? text
  if (form.type === 'array' && !text.trim().startsWith('[')) return text.split('\n').flatMap(line => line.trim() || [])
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The answers to all questions as one message, which names what each is for: "city: London, nights: 3" where that can be read
 * in one way only, else JSON.
 */
export const toAnswer = (questions: Question[], values: Record<string, string>): string => {
  const answers = questions.map(it => ({ field: it.field, value: toValue(it, (values[it.field] ?? '').trim()) }))
  const isPlain = answers.every(({ field, value }) => plainName.test(field) && plainValue.test(String(value)))
  return isPlain
    ? answers.map(({ field, value }) => `${field}: ${value}`).join(', ')
    : JSON.stringify(Object.fromEntries(answers.map(({ field, value }) => [field, value])))
}

/** A message as its author knows it: answers that went as JSON line by line. */
export const toShown = (message: string): string =>
  membersOf(message)
    ?.map(([name, value]) => `${name}: ${value}`)
    .join('\n') ?? message

/** The members of a text that is one JSON object, to be shown as lines; undefined when it is something else. */
export const membersOf = (text: string): [string, string][] | undefined => {
  try {
    const value: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    if (typeof value !== 'object' || value === null) return undefined
    return Object.entries(value).map(([name, it]) => [name, typeof it === 'string' ? it : JSON.stringify(it)])
  } catch {
    return undefined
  }
}
