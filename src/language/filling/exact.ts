import type { JsonObject } from '../../domain/json.ts'
import { findFences } from '../text/fences.ts'
import { findMaterial } from '../text/marked.ts'
import { findQuotations } from '../text/quotations.ts'
import { isSaid } from '../text/said.ts'

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
    return marked.has(own) || (!isSaid(value, said) && isSaid(own, said))
  }
  const exact = Object.keys(read).filter(name => isExact(name) || (values[name] === undefined && marked.has(String(read[name]))))
  return { ...values, ...Object.fromEntries(exact.map(name => [name, read[name] ?? null])) }
}
