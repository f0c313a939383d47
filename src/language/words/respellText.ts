import { longestWord, respell } from '../../domain/text/spelling.ts'
import { isEnglish } from './englishWords.ts'

const shortestRespelt = 4
const plainWord = new RegExp(`(?<![\\p{L}\\p{N}@/.'’])\\p{Ll}{${shortestRespelt},${longestWord}}(?![\\p{L}\\p{N}@/'’])`, 'gu')
/** Maximum unknown words that are corrected; a text with more is probably in another language. */
const maxRespelt = 8

/** Corrects unknown words of a text to known ones. Correct English words, names and addresses stay unchanged. */
export const respellText = (text: string, known: readonly string[]): string => {
  let left = maxRespelt
  return text.replace(plainWord, word => {
    if (left === 0 || isEnglish(word)) return word
    left -= 1
    return respell(word, known)
  })
}
