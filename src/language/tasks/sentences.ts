import { toUnits } from './units.ts'

/** The clauses of a text, with the words that join them. */
export const toClauses = (text: string): string[] => toUnits(text).map(it => it.text)

/** The sentences and lines of a text. Quoted, fenced and pasted text is never cut. */
export const toSentences = (text: string): string[] => {
  const starts = toUnits(text).flatMap(({ joint, from }) => (joint === '.' || joint === 'line' ? [from] : []))
  return [0, ...starts].map((from, at) => text.slice(from, starts[at] ?? text.length).trim())
}
