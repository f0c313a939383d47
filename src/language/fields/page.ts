import { usedMark as used } from '../words/used.ts'

/** The readers search this many characters at the start and end of a long request. The text between is material. */
const startChars = 4000
const endChars = 1000

/** A request whose words each reader removes after using them, so that no word gives two values. */
export type Page = {
  /** The user's words; after `shorten`, only their start and end. */
  readonly whole: string
  /** The words not yet used, at the same positions as in `whole`. */
  rest(): string
  take(from: number, to: number): void
  /** Keeps only the start and end of a long request, because the time of the readers grows with its length. */
  shorten(): void
  /** Marks every match of a pattern as used and returns the matches. */
  takeAll(pattern: RegExp): RegExpMatchArray[]
}

const blanks = /\s{20,}/g
const edgeChars = 2
/**
 * Marks the middle of long runs of whitespace as used. They carry no meaning, and the patterns' time grows with the square of
 * their length. The first and the last line break of a run stay, so that lines stay lines.
 */
const withoutBlanks = (text: string): string =>
  text.replace(blanks, run => {
    const [first, last] = [run.indexOf('\n'), run.lastIndexOf('\n')]
    const isKept = (at: number) => at < edgeChars || at >= run.length - edgeChars || at === first || at === last
    return [...run].map((char, at) => (isKept(at) ? char : used)).join('')
  })

const ends = (text: string) => `${text.slice(0, startChars)}${used}${text.slice(-endChars)}`

/** Creates a copy of a message in which used parts are blanked, so that positions stay the same. */
export const createPage = (said: string): Page => {
  let whole = said
  let left = withoutBlanks(said)
  const take = (from: number, to: number) => {
    const [start, end] = [Math.max(0, from), Math.min(to, left.length)]
    if (end > start) left = left.slice(0, start) + used.repeat(end - start) + left.slice(end)
  }
  const rest = () => left
  return {
    get whole() {
      return whole
    },
    rest,
    take,
    shorten: () => {
      if (whole.length <= startChars + endChars) return
      left = ends(left)
      whole = ends(whole)
    },
    takeAll: pattern => {
      const found = [...rest().matchAll(pattern)]
      for (const it of found) take(it.index, it.index + it[0].length)
      return found
    },
  }
}

/** The length of a text without what readers used at its end, and without the blanks around that. */
const lengthUnused = (text: string): number => {
  let [end, kept] = [text.length, text.length]
  while (end > 0 && (text[end - 1] === used || /\s/.test(text[end - 1] ?? ''))) {
    end -= 1
    if (text[end] === used) kept = end
  }
  return kept === text.length ? kept : end
}

/** The exact text between two places. What a reader used at its end is not part of it; what one used inside it is. */
export const exactText = ({ whole, rest }: Page, { start, end }: { start: number; end: number }): string => {
  const kept = lengthUnused(rest().slice(start, end))
  return whole.slice(start, kept === 0 ? end : start + kept)
}

const gap = new RegExp(`${used}+`)

/** Returns the pieces of text that no reader has used. */
export const piecesOf = (text: string): string[] => text.split(gap)

/** Returns the unused words as one line. */
export const toLeftover = (page: Page): string => piecesOf(page.rest()).join(' ').replace(/\s+/g, ' ').trim()
