import { stem } from '../../domain/stem.ts'
import { splitWords } from '../../domain/words.ts'

/** A word of a text with its place. */
export type Token = { word: string; stem: string; from: number; to: number }

/** The words of a text in lower case with their stems; a mark that ends a clause is a token of its own without a stem. */
export const toTokens = (text: string): Token[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)?|[.,;:!?()\n\uE000]/gu)].map(match => {
    const word = splitWords(match[0])[0] ?? match[0]
    return { word, stem: /[\p{L}\p{N}]/u.test(word) ? stem(word) : '', from: match.index, to: match.index + match[0].length }
  })
