import type { Marked } from './fences.ts'

// Finds quotations in the marks of many languages. A quotation in plain marks stays on one line, or spans lines as a whole.

const inside = (open: string, close: string, more = '') => `${open}([^${open}${close}${more}]{1,32768})${close}`
const patterns = [
  // After a digit, the mark means inches.
  /(?<!\p{N})"([^"]{1,32768})"/gu,
  new RegExp(inside('“', '”'), 'g'),
  new RegExp(inside('„', '“', '”'), 'g'),
  new RegExp(inside('„', '”', '“'), 'g'),
  new RegExp(inside('«', '»'), 'g'),
  /(?<![\p{L}\p{N}])»([^«»]{1,32768})«/gu,
  new RegExp(inside('「', '」'), 'g'),
  new RegExp(inside('『', '』'), 'g'),
  /(?<![\p{L}\p{N}])'([^'\n]{1,2000}(?:(?<=\p{L})'(?=\p{L})[^'\n]{1,2000}){0,20})'(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])‘([^‘\n]{1,2000}?)’(?![\p{L}\p{N}])/gu,
  /`([^`]{1,32768})`/g,
]

/** Returns all quotations in order, with their exact content. A quotation within another one is not listed separately. */
export const findQuotations = (text: string): Marked[] => {
  const all = patterns.flatMap(pattern =>
    [...text.matchAll(pattern)].map(({ index, 0: said }) => {
      const to = index + said.length
      return { from: index, start: index + 1, end: to - 1, to }
    }),
  )
  const sorted = all.filter(it => text.slice(it.start, it.end).trim() !== '').sort((a, b) => a.from - b.from || b.to - a.to)
  const outer: Marked[] = []
  for (const it of sorted) if (it.from >= (outer.at(-1)?.to ?? 0)) outer.push(it)
  return outer
}
