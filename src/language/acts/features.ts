import type { Situation } from '../../domain/runs/acts.ts'
import { hash32 } from '../../domain/text/hash32.ts'

/** Number of entries in the table into which features are hashed. It must be a power of two. */
export const tableSize = 2 ** 15

const firstChars = 220
const lastChars = 80
const maxNgrams = 4

const marks = /[\u0300-\u036f]/g
const tokens: [RegExp, string][] = [
  [/\bhttps?:\/\/\S+|\bwww\.\S+/g, ' zurlz '],
  [/[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]+/g, ' zmailz '],
  [/\b0x[0-9a-f]{8,}\b/g, ' zaddressz '],
  [/(?<![\p{L}\p{N}])(["'“‘„«]).{2,400}?["'”’“»](?![\p{L}\p{N}])/gu, ' zquotez '],
  [/\d[\d.,:/-]*/g, ' znumberz '],
]

/** Normalises a message: lower case, no accents, and one placeholder word for each kind of formatted value. */
export const toPlain = (message: string): string => {
  const text = message.normalize('NFKD').replace(marks, '').toLowerCase().replaceAll('’', "'")
  const short = text.length > firstChars + lastChars ? `${text.slice(0, firstChars)} … ${text.slice(-lastChars)}` : text
  return tokens
    .reduce((read, [pattern, word]) => read.replace(pattern, word), short)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Splits a normalised message into words. In a script without spaces, each character is a word. */
export const toPlainWords = (plain: string): string[] =>
  plain.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}\p{N}]+(?:'\p{L}+)?|\p{Extended_Pictographic}/gu,
  ) ?? []

/** FNV-1a hash with a final mixing step. */
const hash = (text: string): number => {
  const first = hash32(text)
  const h = Math.imul(first ^ (first >>> 16), 0x45d9f3b)
  return ((h ^ (h >>> 15)) >>> 0) % tableSize
}

export type Features = { at: Uint32Array; value: Float32Array }
/** The named features of a message in three groups. The maps hold how often each feature occurs. */
export type Named = { words: Map<string, number>; ngrams: Map<string, number>; context: string[] }

const count = (names: string[]) => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const ngramsOf = (word: string): string[] => {
  const padded = `<${word.slice(0, 20)}>`
  const found: string[] = []
  for (let size = 2; size <= maxNgrams; size += 1)
    for (let at = 0; at + size <= padded.length; at += 1) found.push(`g:${padded.slice(at, at + size)}`)
  return found
}

const lengthOf = (words: string[]) => (words.length < 6 ? words.length : words.length < 9 ? 6 : words.length < 16 ? 7 : 8)

/**
 * Extracts the features of a message: words, word pairs, the first and last word, n-grams within words, and words combined with
 * the situation.
 */
export const toNamed = (message: string, { stage, hasJob, hasEnded }: Situation): Named => {
  const plain = toPlain(message)
  const words = toPlainWords(plain)
  const pairs = words.slice(1).map((word, at) => `p:${words[at]} ${word}`)
  const job = hasJob ? 'job' : hasEnded ? 'ended' : 'none'
  const crossed = words.flatMap(word => [`s:${stage} ${word}`, `j:${job} ${word}`])
  const edges = words.length > 0 ? [`f:${words[0]}`, `l:${words.at(-1)}`] : []
  const size = lengthOf(words)
  return {
    words: count([...words.map(it => `w:${it}`), ...pairs, ...edges, ...crossed]),
    ngrams: count(words.flatMap(ngramsOf)),
    context: [
      ...[`stage:${stage}`, `job:${job}`, `both:${stage} ${job}`, `length:${size}`, `length:${stage} ${size}`],
      ...(message.includes('?') ? ['ends:?', `ends:${stage}?`] : []),
      ...['znumberz', 'zurlz', 'zquotez', 'zaddressz', 'zmailz'].filter(it => plain.includes(it)).map(it => `has:${it} ${stage}`),
      ...(message.includes('\n') ? ['has:lines'] : []),
    ],
  }
}

const scale = 1.4
const contextWeight = 0.5

/**
 * Hashes features into table entries. Counts are scaled sublinearly and by rarity; words and n-grams are each normalised to
 * length 1. @param rarity weight of a table entry
 */
export const toFeatures = ({ words, ngrams, context }: Named, rarity: (at: number) => number): Features => {
  const values = new Map<number, number>()
  const add = (at: number, value: number) => values.set(at, (values.get(at) ?? 0) + value)
  for (const group of [words, ngrams]) {
    const weighed = [...group].map(([name, times]) => {
      const at = hash(name)
      return [at, (1 + Math.log(times)) * rarity(at)] as const
    })
    const length = Math.sqrt(weighed.reduce((sum, [, value]) => sum + value * value, 0)) || 1
    for (const [at, value] of weighed) add(at, (scale * value) / length)
  }
  for (const name of context) add(hash(name), contextWeight)
  return { at: Uint32Array.from(values.keys()), value: Float32Array.from(values.values()) }
}

/** Returns every table entry that a message uses, without duplicates. */
export const toEntries = ({ words, ngrams }: Named): Set<number> => new Set([...words.keys(), ...ngrams.keys()].map(hash))
