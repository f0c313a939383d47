// Stands for a character that a reader has used: no letter, digit, blank or mark, so that no value reaches across it.
const used = '\u0001'

/** As much of a request as the readers look at: its beginning and its end. What lies between is material. */
const startChars = 4000
const endChars = 1000

/** A request of which each reader takes the words it has used, so that no words give two values. */
export type Page = {
  /** What the user wrote. */
  readonly whole: string
  /** What is left, with places as in `whole`. */
  rest(): string
  take(from: number, to: number): void
  /** Takes every match of a pattern and returns them. */
  takeAll(pattern: RegExp): RegExpMatchArray[]
}

export const createPage = (whole: string): Page => {
  const left = [...Array(whole.length).keys()].map(at => whole.charAt(at))
  let text: string | undefined = whole
  const take = (from: number, to: number) => {
    left.fill(used, Math.max(0, from), to)
    text = undefined
  }
  const rest = () => {
    text ??= left.join('')
    return text
  }
  return {
    whole,
    rest,
    take,
    takeAll: pattern => {
      const found = [...rest().matchAll(pattern)]
      for (const it of found) take(it.index, it.index + it[0].length)
      return found
    },
  }
}

/** Leaves only the beginning and the end of a long request: what the readers do costs time by its length. */
export const shorten = (page: Page): void => {
  if (page.whole.length > startChars + endChars) page.take(startChars, page.whole.length - endChars)
}

const gap = new RegExp(`${used}+`)

/** The pieces of text that no reader has used. */
export const piecesOf = (text: string): string[] => text.split(gap)

/** What no reader has used, as one line. */
export const toLeftover = (page: Page): string => piecesOf(page.rest()).join(' ').replace(/\s+/g, ' ').trim()

export const usedMark = used
