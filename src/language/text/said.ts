import { isObject, type Json, parseJson } from '../../domain/json.ts'

// Compares what is sent with what its user said. A value that does not stand in the user's words was made from them.

/** The texts that a message gives: itself, and the texts of a form that was sent as JSON. */
const textsOf = (message: string): string[] => {
  const value = message.trimStart().startsWith('{') ? parseJson(message) : undefined
  return [message, ...(isObject(value) ? Object.values(value).flatMap(it => (typeof it === 'string' ? [it] : [])) : [])]
}

/** A name or choice of at most this many characters may differ in case from the user's words. */
const shortChars = 60
const isSaidText = (text: string, said: readonly string[]): boolean => {
  if (said.some(it => it.includes(text))) return true
  const isShort = text.length <= shortChars && !text.includes('\n')
  return isShort && said.some(it => it.toLowerCase().includes(text.toLowerCase()))
}

const isSaidNumber = (value: number, said: readonly string[]): boolean => {
  const digits = String(value).replace(/[.+]/g, String.raw`\$&`)
  return said.some(it => new RegExp(String.raw`(?<![\d.,])${digits}(?![\d]|[.,]\d)`).test(it))
}

const isSaidIn = (value: Json, said: readonly string[]): boolean => {
  if (typeof value === 'string') return isSaidText(value, said)
  if (typeof value === 'number') return isSaidNumber(value, said)
  if (typeof value === 'boolean' || value === null) return false
  return Object.values(value).every(it => isSaidIn(it, said))
}

/** Whether a value stands in the user's messages as it is: a text character by character, a list with all its items. */
export const isSaid = (value: Json, messages: readonly string[]): boolean => isSaidIn(value, messages.flatMap(textsOf))

/**
 * The fields of an input whose value its user did not say, in the order of the input; `text` for plain text.
 * @param input as it is sent: JSON or plain text
 */
export const madeFields = (input: string, messages: readonly string[]): string[] => {
  const value = parseJson(input)
  // An agent that is called directly gets all messages of its run as one text.
  const said = [...messages.flatMap(textsOf), messages.join('\n')]
  if (!isObject(value)) return isSaidText(input, said) ? [] : ['text']
  return Object.keys(value).filter(name => !isSaidIn(value[name] ?? null, said))
}
