import type { Json } from '../domain/json.ts'
import { splitWords, toTerms } from '../domain/words.ts'
import { spokenNumbers } from './filling/numerals.ts'
import { codesByLanguage } from './rules/languages.ts'

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const isoDate = /^(\d{4})-(\d{2})-(\d{2})/

/** Day and year were said, and the month by name or figure. */
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
  // A language is said by its name and given by its code.
  return [...codesByLanguage].some(([name, code]) => code === value.toLowerCase() && given.has(name))
}

const notLatin = /(?!\p{Script=Latin})\p{L}/u

/**
 * Whether the user's own words carry a value that a model gives for them: its words stand in what was said, in any order and
 * inflection; its figures were said in digits or words; a date was said in full. A value that translates other letters into
 * Latin ones cannot be compared, nor can yes and no; a list or an object is carried when all of its values are.
 */
export const isGrounded = (value: Json, said: string): boolean => {
  if (typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return spokenNumbers(said).has(value)
  if (typeof value === 'string')
    return isSaidText(value, said) || isSaidDate(value, said) || (notLatin.test(said) && !notLatin.test(value))
  return Object.values(value).every(it => isGrounded(it, said))
}
