import type { Slot } from '../fields/fields.ts'
import { stem } from '../words/stem.ts'
import { splitWords } from '../words/words.ts'

const leadChars = 30
/** How near a word of some words stands before a value, 0 to 1. */
const nearness = (words: string, before: readonly string[]): number => {
  const terms = splitWords(words)
    .filter(it => it.length > 2)
    .map(stem)
  const place = before.findIndex(word => terms.some(it => word === it || (it.length > 3 && word.startsWith(it))))
  return place < 0 ? 0 : 1 - place / 20
}

/** How strongly the words before a value name the field, 0 to 2: "replies to a@b.example" for `reply_to`. */
export const leadOf = (text: string, from: number, { name, description }: Slot): number => {
  const before = splitWords(text.slice(Math.max(0, from - leadChars), from))
    .map(stem)
    .reverse()
  return nearness(name, before) * 2 || nearness(description, before) / 2
}
