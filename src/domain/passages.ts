import { toMeaning } from './words.ts'

/** A longer request is a letter: one of its sentences says what is wanted, the others why. */
const letterWords = 40
/** Sentences of a letter that are looked at, and the fewest telling words of one. */
const mostSentences = 12
const leastMeaning = 2

const material = /\s*(?::(?!\/\/)\s*(?=\S+(?:\s+\S+){3})|["“«][^"”»]{12,}["”»]|```|\n\s*\n)/u

/**
 * The parts under which a request is searched: all of it; what stands before its material; of a letter each sentence. The part
 * that fits a listing best counts.
 */
export const toPassages = (request: string): string[] => {
  const [lead = ''] = request.split(material, 1)
  const words = request.split(/\s+/).length
  const sentences = words > letterWords ? request.split(/(?<=[.!?])\s+|\n+/) : []
  const isRequest = lead !== request && toMeaning(lead).length > 0
  const parts = sentences.filter(it => it.trim() !== '').slice(0, mostSentences)
  return [
    ...new Set([
      request,
      ...(isRequest ? [lead.trim()] : []),
      ...parts.filter(it => toMeaning(it).length >= leastMeaning).map(it => it.trim()),
    ]),
  ]
}
