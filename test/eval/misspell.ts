import { createHash } from 'node:crypto'

/** One of this many sufficiently long words is misspelt. */
const oneIn = 3
/** The minimum length of a misspelt word. Shorter words are rarely misspelt, and an edit often makes another word. */
const shortest = 5
const longWords = /\p{L}+/gu
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Pseudorandom numbers that are the same in every run. */
const draw = (...seed: (string | number)[]) => {
  const bytes = createHash('sha256').update(seed.join('\n')).digest()
  return (at: number, below: number) => bytes.readUInt32BE(at * 4) % below
}

/** A word with one letter omitted, inserted, replaced, or swapped with the next. */
const edit = (word: string, drawn: ReturnType<typeof draw>): string => {
  const at = drawn(1, word.length - 1)
  const [before, here, next, after] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1), word.slice(at + 2)]
  const letter = letters.charAt(drawn(2, letters.length))
  const edits = [before + next + after, before + letter + here + next + after, before + letter + next + after]
  return [...edits, before + next + here + after][drawn(3, edits.length + 1)] ?? word
}

/** Misspells a request: one edit in every third longer word. */
export const misspell = (text: string): string => {
  let at = 0
  return text.replace(longWords, word => {
    at += 1
    const drawn = draw(text, at)
    return word.length >= shortest && drawn(0, oneIn) === 0 ? edit(word, drawn) : word
  })
}
