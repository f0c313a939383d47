// Stands for a character that a reader has used: no letter, digit, blank or mark, so that no value reaches across it.
const used = '\uE000'

/** As much of a request as the readers look at: its beginning and its end. What lies between is material. */
const startChars = 4000
const endChars = 1000

/** A request of which each reader takes the words it has used, so that no words give two values. */
export type Page = {
  /** What the user wrote; of a long request what `shorten` leaves. */
  readonly whole: string
  /** What is left, with places as in `whole`. */
  rest(): string
  take(from: number, to: number): void
  /** Leaves only the beginning and the end of a long request: what readers do costs time by its length. */
  shorten(): void
  /** Takes every match of a pattern and returns them. */
  takeAll(pattern: RegExp): RegExpMatchArray[]
}

const ends = (text: string) => `${text.slice(0, startChars)}${used}${text.slice(-endChars)}`

export const createPage = (said: string): Page => {
  let whole = said
  let left = said
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

const gap = new RegExp(`${used}+`)

/** The pieces of text that no reader has used. */
export const piecesOf = (text: string): string[] => text.split(gap)

/** What no reader has used, as one line. */
export const toLeftover = (page: Page): string => piecesOf(page.rest()).join(' ').replace(/\s+/g, ' ').trim()

export const usedMark = used
