import { toMeaning } from '../words/words.ts'

/** A request with more words counts as a letter, in which one sentence states the task and the others the background. */
const letterWords = 40
/** Sentences of a letter that are searched, and the minimum number of significant words in each. */
const maxSentences = 12
const minMeaning = 2

/** So much of a request is split. It holds all sentences that are searched, and the pattern takes the square of its length. */
const splitChars = 2_500
const material = /\s*(?::(?!\/\/)\s*(?=\S+(?:\s+\S+){3})|["“«][^"”»]{12,}["”»]|```|\n\s*\n)/u

/**
 * Splits a request into the texts to search for: the whole request, the part before its content, and each sentence of a letter.
 * For each listing, the text with the best match counts.
 */
export const toPassages = (whole: string): string[] => {
  const request = whole.slice(0, splitChars)
  const [lead = ''] = request.split(material, 1)
  const words = request.split(/\s+/).length
  const sentences = words > letterWords ? request.split(/(?<=[.!?])\s+|\n+/) : []
  const isRequest = lead !== request && toMeaning(lead).length > 0
  const parts = sentences.filter(it => it.trim() !== '').slice(0, maxSentences)
  return [
    ...new Set([
      whole,
      ...(isRequest ? [lead.trim()] : []),
      ...parts.filter(it => toMeaning(it).length >= minMeaning).map(it => it.trim()),
    ]),
  ]
}
