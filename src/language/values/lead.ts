import type { Slot } from '../fields/fields.ts'
import { splitWords } from '../words/words.ts'

const leadChars = 30
const isSaid = (words: string, before: readonly string[]) =>
  splitWords(words).some(it => it.length > 2 && before.some(word => word.startsWith(it)))

/** How strongly the words before a value name the field, 0 to 2: "replies to a@b.example" for `reply_to`. */
export const leadOf = (text: string, from: number, { name, description }: Slot): number => {
  const before = splitWords(text.slice(Math.max(0, from - leadChars), from))
  return isSaid(name, before) ? 2 : isSaid(description, before) ? 0.5 : 0
}
