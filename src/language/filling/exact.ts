import type { JsonObject } from '../../domain/json.ts'
import { findFences } from '../text/fences.ts'
import { findMaterial } from '../text/marked.ts'
import { findQuotations } from '../text/quotations.ts'
import { isSaid } from '../text/said.ts'
import { splitWords } from '../words/words.ts'

/** Whether a message marks these words as material: by a fence, by quotation marks, or by their place below it. */
export const isMarkedIn = (words: string, message: string): boolean => markedIn(message).includes(words)

/** A line of at most this many characters may be the values of several fields. */
const lineChars = 200
const isOneLine = (text: string): boolean => text.length <= lineChars && !text.includes('\n')

/** A copy has most of its words in common with what it copies. */
const minCopied = 0.8
const isCopyOf = (copy: string, of: string): boolean => {
  const known = new Set(splitWords(of))
  const words = splitWords(copy)
  return words.filter(it => known.has(it)).length >= minCopied * words.length
}

/** The exact contents of everything that a message marks as material. */
const markedIn = (message: string): string[] => {
  const below = findMaterial(message)
  const all = [...findFences(message), ...findQuotations(message), ...(below ? [below] : [])]
  return all.map(it => message.slice(it.start, it.end))
}

/**
 * Puts the user's exact text in place of a language model's copy of it. A model shortens and corrects what it copies.
 * @param read what the rules read in the same messages
 */
export const withExactTexts = (values: JsonObject, read: JsonObject, said: readonly string[]): JsonObject => {
  const marked = new Set(said.flatMap(markedIn))
  const isExact = (name: string) => {
    const [value, own] = [values[name], read[name]]
    if (typeof value !== 'string' || typeof own !== 'string') return false
    // The material stands in the copy as it is, beside other words of the user: "the moon. My notes say: …".
    if (value.length > own.length && value.includes(own)) return false
    // A part of a short line is a value of its own: the name before an address.
    if (marked.has(own)) return !(isOneLine(own) && isSaid(value, said))
    return !isSaid(value, said) && isSaid(own, said) && isCopyOf(value, own)
  }
  const taken = new Set(Object.values(values))
  const isNew = (name: string) => values[name] === undefined && marked.has(String(read[name])) && !taken.has(read[name] ?? null)
  const exact = Object.keys(read).filter(name => isExact(name) || isNew(name))
  return { ...values, ...Object.fromEntries(exact.map(name => [name, read[name] ?? null])) }
}
