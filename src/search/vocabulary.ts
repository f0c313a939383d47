import { distance, editsOf } from '../domain/spelling.ts'

/** Words of one first letter and length, each with its letters as bits: words that share too few letters are told apart without comparing them. */
type Shelf = { words: string[]; letters: number[] }

/** Twenty-six letters and a few others that share a bit: a word may look nearer than it is, never farther. */
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
 * The words of an index, to find those that a misspelt one may have meant. Their first letter has to be right: it almost always is
 * (Yannakoudakis and Fawthrop 1983), and a word that is merely new finds fewer that it was never meant for.
 */
export const createVocabulary = () => {
  const shelves = new Map<string, Shelf>()
  const shelfOf = (word: string, length: number) => `${word.charAt(0)}${length}`
  return {
    add(word: string) {
      const at = shelfOf(word, word.length)
      const shelf = shelves.get(at) ?? { words: [], letters: [] }
      shelf.words.push(word)
      shelf.letters.push(toLetters(word))
      shelves.set(at, shelf)
    },
    /** The words that are the fewest edits away; none when all are too far. */
    nearest(word: string): Guess[] {
      const letters = toLetters(word)
      let most = editsOf(word)
      let guesses: Guess[] = []
      for (let length = word.length - most; length <= word.length + most; length += 1) {
        const shelf = shelves.get(shelfOf(word, length))
        for (let at = 0; shelf && at < shelf.words.length; at += 1) {
          // Each edit brings at most one letter and takes at most one.
          if (hasMoreBits(letters ^ (shelf.letters[at] ?? 0), 2 * most)) continue
          const known = shelf.words[at] ?? ''
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
