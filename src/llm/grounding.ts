import type { Json } from '../domain/json.ts'
import { codesByLanguage } from '../language/words/languages.ts'
import { spokenNumbers } from '../language/words/numerals.ts'
import { splitWords, toTerms } from '../language/words/words.ts'

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const isoDate = /^(\d{4})-(\d{2})-(\d{2})/

/** Whether the text contains the day, the year, and the month as a name or number. */
const isSaidDate = (value: string, said: string): boolean => {
  const [, year = '', month = '', day = ''] = isoDate.exec(value) ?? []
  const figures = new Set((said.match(/\d+/g) ?? []).map(Number))
  const isMonthSaid = figures.has(Number(month)) || said.toLowerCase().includes(months[Number(month) - 1] ?? '\n')
  return figures.has(Number(year)) && figures.has(Number(day)) && isMonthSaid
}

const isSaidText = (value: string, said: string): boolean => {
  const [wanted, given] = [splitWords(value), new Set(splitWords(said))]
  if (wanted.every(it => given.has(it))) return true
  const terms = new Set(toTerms(said))
  if (toTerms(value).length > 0 && toTerms(value).every(it => terms.has(it))) return true
  // The user may name a language for which the value is a code.
  return [...codesByLanguage].some(([name, code]) => code === value.toLowerCase() && given.has(name))
}

const notLatin = /(?!\p{Script=Latin})\p{L}/u

/**
 * Whether the user's own words support a value that a model returned. Words may occur in any order and inflection; numbers may
 * be digits or words. Dates must be complete. Booleans, and Latin text translated from another script, cannot be compared and
 * pass. Lists and objects pass when all their values do.
 */
export const isGrounded = (value: Json, said: string): boolean => {
  if (typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return spokenNumbers(said).has(value)
  if (typeof value === 'string')
    return isSaidText(value, said) || isSaidDate(value, said) || (notLatin.test(said) && !notLatin.test(value))
  return Object.values(value).every(it => isGrounded(it, said))
}
