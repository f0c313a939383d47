import { toMeaning } from '../words/words.ts'
import { findMaterial, type Mark } from './marked.ts'

/** Material of more characters is no part of what is searched for, by its mark. Wishes may stand on lines of their own. */
const longChars: Record<Mark, number> = { fence: 400, quotation: 400, letter: 400, colon: 400, lines: 1_500 }
/** So much of it is searched, because a request may only point at it: "do this: …". */
const keptChars = 200

/**
 * What of a request is searched for: the request and the beginning of its material. A long text to work on has words of every
 * kind, and any listing resembles some of them.
 */
export const toSearched = (request: string): string => {
  const found = findMaterial(request)
  if (!found || found.end - found.start <= longChars[found.mark]) return request
  const own = `${request.slice(0, found.from)} ${request.slice(found.to)}`.trim()
  if (toMeaning(own).length === 0) return request
  return `${own} ${request.slice(found.start, found.start + keptChars).replace(/\S*$/, '')}`.trim()
}
