import { distance, editsOf } from '../domain/text/spelling.ts'
import { stem } from '../language/words/stem.ts'

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

/** Words that people and listings use interchangeably, one group a line: first verbs for records, then everyday words. */
const groups = `
  create add new insert register set make
  read get query check view show see retrieve fetch lookup search find
  update modify change edit adjust
  delete remove cancel clear drop
  buy purchase order shop
  price cost fee rate
  movie film
  picture image photo photograph
  car vehicle automobile
  house home property apartment
  job career employment vacancy
  doctor physician medical
  flight airline plane
  hotel accommodation lodging
  restaurant dining dinner meal food eat
  trip travel journey vacation itinerary
  summarize summary digest overview
  write compose draft
  translate translation language
  website site webpage url link
  music song
  video clip
  recommend suggest advise
  learn study course teach lesson
  document file pdf paper
  stock share invest
  weather forecast
  news headline article
  law legal lawyer
  fix repair
  gift present
  money currency cash
  book reserve
  send transfer
  message text
  phone mobile call
  company business firm
  code program software
  schedule appointment meeting calendar agenda
  exercise workout fitness
  gym sport
  chart graph diagram plot
  answer reply respond
  math mathematics arithmetic calculate calculator compute
  health medical disease illness symptom
  proofread grammar spelling correct
  rewrite rephrase paraphrase
  transcribe transcript subtitle caption
  quiz exam
  poem verse lyric
  loan mortgage credit
  train rail railway
  plant garden
  salary wage
  kid child
  rent lease
  crypto cryptocurrency coin token
  draw paint illustrate illustration
  game play`

const others = new Map<string, Set<string>>()
for (const line of groups.trim().split('\n')) {
  const words = line.trim().split(' ').map(stem)
  for (const word of words) others.set(word, new Set([...(others.get(word) ?? []), ...words.filter(it => it !== word)]))
}

/** Returns the stems of the synonyms of a stem. */
export const toSynonyms = (word: string): Iterable<string> => others.get(word) ?? []
