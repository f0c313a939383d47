import type { Json } from '../../../src/domain/json.ts'
import { distance, editsOf, longestWord } from '../../../src/domain/text/spelling.ts'
import { monthNames } from '../../../src/language/forms/months.ts'
import { findTimes } from '../../../src/language/forms/times.ts'
import { languageOf } from '../../../src/language/words/language.ts'
import { codesByLanguage } from '../../../src/language/words/languages.ts'
import { type Unit, unitOf } from '../../../src/language/words/measures.ts'
import { spokenNumbers } from '../../../src/language/words/numerals.ts'
import { splitWords, toTerms } from '../../../src/language/words/words.ts'

const isoDate = /^(\d{4})-(\d{2})-(\d{2})/

/** Whether the text contains the day, the year, and the month as a name or number. */
const isSaidDate = (value: string, said: string): boolean => {
  const [, year = '', month = '', day = ''] = isoDate.exec(value) ?? []
  const figures = new Set((said.match(/\d+/g) ?? []).map(Number))
  const isMonthSaid = figures.has(Number(month)) || said.toLowerCase().includes(monthNames[Number(month) - 1] ?? '\n')
  return figures.has(Number(year)) && figures.has(Number(day)) && isMonthSaid
}

/** Whether a text stands in another one as it is, in any case: "ph" in "tested for pH". */
const standsIn = (value: string, said: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(value.trim())}(?![\p{L}\p{N}])`, 'iu').test(said)

/** Whether a word names a unit: "grams" for g. */
const isSameUnit = (word: string, { dimension, factor }: Unit): boolean => {
  const unit = unitOf(word)
  return unit?.dimension === dimension && unit.factor === factor
}

const isSaidText = (value: string, said: string): boolean => {
  const [wanted, given] = [splitWords(value), new Set(splitWords(said))]
  if (wanted.every(it => given.has(it)) || standsIn(value, said)) return true
  const terms = new Set(toTerms(said))
  if (toTerms(value).length > 0 && toTerms(value).every(it => terms.has(it))) return true
  const unit = unitOf(value)
  if (unit && unit.dimension !== 'money' && [...given].some(it => isSameUnit(it, unit))) return true
  // The user may name a language for which the value is a code.
  return [...codesByLanguage].some(([name, code]) => code === value.toLowerCase() && given.has(name))
}

/** Whether a text is a time of day that the user said in another form: "09:30" for "not before 9:30". */
const isSaidTime = (value: string, said: string): boolean => {
  const [time] = findTimes(value)
  return time?.said === value && findTimes(said).some(it => it.clock === time.clock)
}

const notLatin = /(?!\p{Script=Latin})\p{L}/u

/** Whether a text stands in another script than the user's words, so that it cannot be compared with them. */
export const isTranslated = (value: Json, said: string): boolean =>
  typeof value === 'string' && !isSaidText(value, said) && notLatin.test(said) && !notLatin.test(value)

/**
 * Whether the user's own words support a value that a model returned. Words may occur in any order and inflection; numbers may
 * be digits or words. Dates must be complete. Booleans, and Latin text translated from another script, cannot be compared and
 * pass. Lists and objects pass when all their values do.
 */
export const isGrounded = (value: Json, said: string): boolean => {
  if (typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return spokenNumbers(said).has(value)
  if (typeof value === 'string') return [isSaidText, isSaidDate, isSaidTime, isTranslated].some(is => is(value, said))
  return Object.values(value).every(it => isGrounded(it, said))
}

/** A short value that names something in a fixed way: a code, a language, a place. */
const maxConcludedChars = 40
/** A quotation of fewer letters is no evidence. */
const minEvidence = /\p{L}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\d/u

/**
 * Whether a value that does not stand in the user's words may have been concluded from them: its evidence stands there, and the
 * field takes a fixed form (a choice, a code, a date, a number), or the words are not English and the value is short.
 */
export const isConcluded = (value: Json, { from, said, isFixed }: { from: string; said: string; isFixed: boolean }): boolean => {
  const isEvidence = minEvidence.test(from) && said.toLowerCase().includes(from.trim().toLowerCase())
  if (!isEvidence) return false
  if (typeof value === 'number' || typeof value === 'boolean' || isFixed) return true
  return typeof value === 'string' && value.length <= maxConcludedChars && languageOf(said) !== 'en'
}

/** Whether each word of a short text stands in the user's words with a slip of the keyboard: "Whitstable" in "whitstabel". */
export const isRespelt = (value: Json, said: string): boolean => {
  if (typeof value !== 'string' || value.length > maxConcludedChars || /\d/.test(value)) return false
  const given = splitWords(said).filter(it => it.length <= longestWord)
  const words = splitWords(value)
  return words.length > 0 && words.every(word => given.some(it => distance(it, word, editsOf(word)) <= editsOf(word)))
}
