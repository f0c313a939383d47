import { stem } from './stem.ts'
import { splitWords } from './words.ts'

/** A word and its position in the text. */
export type Token = { word: string; stem: string; from: number; to: number }

/** Splits a text into lower-case words with stems. Punctuation that ends a clause is a separate token with an empty stem. */
export const toTokens = (text: string): Token[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)?|[.,;:!?()\n\uE000]/gu)].map(match => {
    // A word with capitals inside is one word: "pH", "PayPal".
    const word = splitWords(match[0].toLowerCase())[0] ?? match[0]
    return { word, stem: /[\p{L}\p{N}]/u.test(word) ? stem(word) : '', from: match.index, to: match.index + match[0].length }
  })
