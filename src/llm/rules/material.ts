import { toMeaning } from '../../domain/words.ts'
import { angleQuotes, backticks, curlyQuotes, doubleQuotes } from '../quotations.ts'
import { takePrice } from './phrases.ts'

// Separates a request from the text to be processed: a quotation, the text after a colon, or the lines below.

const quotes = [doubleQuotes, curlyQuotes, angleQuotes, /(?<![\p{L}\p{N}])'([^'\n]{2,2000})'(?![\p{L}\p{N}])/gu, backticks]
/** Quotations of at most this many words are titles or names within the request; longer ones are material. */
const titleWords = 6

const wordCount = (text: string) => text.split(/\s+/).filter(Boolean).length

/** Returns all quotations in a message, longest first. */
export const quotations = (message: string): string[] =>
  quotes
    .flatMap(pattern => [...message.matchAll(pattern)].map(it => (it[1] ?? '').trim()))
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)

/** Splits a message into the request and its material. The material is empty when none is marked. */
export const split = (message: string): { request: string; material: string } => {
  const quoted = quotations(message)[0]
  if (quoted && wordCount(quoted) > titleWords) return { request: message.replace(quoted, ' '), material: quoted }
  const mark = /:(?=\s)|\n/.exec(message)
  if (!mark) return { request: message, material: '' }
  const request = message.slice(0, mark.index)
  const material = message.slice(mark.index + 1).trim()
  // A greeting or a price before the colon is not a request.
  return toMeaning(takePrice(request).rest).length > 0 && material ? { request, material } : { request: message, material: '' }
}
