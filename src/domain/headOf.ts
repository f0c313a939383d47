import { isStopWord, toMeaning, toTerms } from './words.ts'

/** Words behind which a request says what for, where or about what: its head stands before them. */
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
 * The words of a request that say what is wanted, as terms: "a dozen names for a chess club" wants names. They end before the
 * first word that leads to something else. Empty where a request has no such words.
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
