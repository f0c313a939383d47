import type { Role, Slot } from '../fields/fields.ts'
import { stem } from '../words/stem.ts'
import { splitWords } from '../words/words.ts'

const leadChars = 30
/** How near a word of some words stands before a value, 0 to 1. */
const nearness = (words: string, before: readonly string[]): number => {
  const terms = splitWords(words)
    .filter(it => it.length > 1)
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

const clauseChars = 60
const start = /(?<!\p{L})(?:from|pick(?:ed)?[ -]?up|collected?|(?:made|produced|grown|born) in)(?!\p{L})/giu
const end = /(?<!\p{L})(?:to|into|towards|delivered|delivery)(?!\p{L})/giu
const lastOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1
/** Whether the words before a value in its sentence say that a journey starts or ends there. */
export const sideOf = (text: string, from: number): Role | undefined => {
  const [clause = ''] = text
    .slice(Math.max(0, from - clauseChars), from)
    .split(/[.!?;\n]\s/)
    .slice(-1)
  const [starts, ends] = [lastOf(clause, start), lastOf(clause, end)]
  return starts === ends ? undefined : starts > ends ? 'from' : 'to'
}
