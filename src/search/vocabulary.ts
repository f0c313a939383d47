import { distance, editsOf } from '../domain/text/spelling.ts'

/**
 * Words with the same first letter and length, each with a bit set of its letters. Words with too few common letters are
 * skipped without computing their edit distance.
 */
type WordBucket = { words: string[]; letters: number[] }

/** Some letters share a bit. The bit sets may therefore underestimate the difference of two words, never overestimate it. */
const bits = 31
const toLetters = (word: string): number => {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) % bits)
  return letters
}
const hasMoreBits = (letters: number, than: number): boolean => {
  let count = 0
  for (let left = letters; left !== 0 && count <= than; left &= left - 1) count += 1
  return count > than
}

export type Guess = { word: string; edits: number }

/**
 * The words of an index, for spelling correction. The first letter must match: typos almost never affect it (Yannakoudakis and
 * Fawthrop 1983), and new words get fewer wrong corrections.
 */
export const createVocabulary = () => {
  const buckets = new Map<string, WordBucket>()
  const bucketKeyOf = (word: string, length: number) => `${word.charAt(0)}${length}`
  return {
    add(word: string) {
      const at = bucketKeyOf(word, word.length)
      const bucket = buckets.get(at) ?? { words: [], letters: [] }
      bucket.words.push(word)
      bucket.letters.push(toLetters(word))
      buckets.set(at, bucket)
    },
    /** Returns the words with the smallest edit distance, or none when all are too far away. */
    nearest(word: string): Guess[] {
      const letters = toLetters(word)
      let most = editsOf(word)
      let guesses: Guess[] = []
      for (let length = word.length - most; length <= word.length + most; length += 1) {
        const bucket = buckets.get(bucketKeyOf(word, length))
        for (let at = 0; bucket && at < bucket.words.length; at += 1) {
          // Each edit adds at most one letter and removes at most one.
          if (hasMoreBits(letters ^ (bucket.letters[at] ?? 0), 2 * most)) continue
          const known = bucket.words[at] ?? ''
          const edits = distance(word, known, most)
          if (edits > most) continue
          if (edits < most) guesses = []
          most = edits
          guesses.push({ word: known, edits })
        }
      }
      return guesses
    },
  }
}
