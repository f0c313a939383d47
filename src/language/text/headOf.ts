import { isStopWord, toMeaning, toTerms } from '../words/words.ts'

/** Words that introduce a purpose, place or topic. The head of a request precedes them. */
const boundaries = new Set(
  `for about of from to into in on onto with without at by that which who whose where when while until before after near between
  under over as than via regarding containing per is are was were be will and or but because so if`.split(/\s+/),
)
const numberWords = new Set(
  'one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred dozen couple few several half'.split(
    ' ',
  ),
)
const pieces = /[\p{L}\p{M}\p{N}'’]+|[.,;:!?"“”()\n]/gu
const isMark = (piece: string) => /^[^\p{L}\p{N}]/u.test(piece)

/**
 * Returns the head terms of a request, which name what is wanted: in "a dozen names for a chess club", the head is "names". It
 * ends before the first boundary word, and may be empty.
 */
export const toHead = (request: string): string[] => {
  const head: string[] = []
  for (const [piece] of request.toLowerCase().matchAll(pieces)) {
    const isEnd = isMark(piece) || boundaries.has(piece)
    if (isEnd && head.length > 0) return head
    if (isEnd || isStopWord(piece) || numberWords.has(piece) || /^\d/.test(piece)) continue
    if (toMeaning(piece).length > 0) head.push(...toTerms(piece))
  }
  return head
}
