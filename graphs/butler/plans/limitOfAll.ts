import { namesWhole } from '../../../src/domain/plans/references.ts'
import { findPrices, takePrice } from '../../../src/language/text/limits.ts'
import { toMeaning } from '../../../src/language/words/words.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Draft } from '../state.ts'

/** Sentences of a message that are looked at alone. */
const mostSentences = 40

/** Whether a sentence says nothing but a limit: "Budget: 2 USDC". */
const isLimitAlone = (sentence: string): boolean => {
  const { found, rest } = takePrice(sentence)
  return found !== undefined && toMeaning(rest).length === 0
}

const courtesy = /(?:please|pls|thanks|thank you)\W*$/i

/** Whether a message ends with its only limit: "the time in Tokyo and Lima, for at most 0.05". */
const endsWithLimit = (text: string): boolean => {
  const asked = text.trim().replace(courtesy, '').trimEnd()
  const limits = findPrices(asked.replace(/[.!,]+$/, '')).filter(it => it.isLed)
  return limits.length === 1 && limits.every(it => it.to >= asked.length - 1)
}

/**
 * The most USDC that the user wants to pay for all tasks together, as decimal text. A limit is for all of them where the message
 * says so, where it stands in a sentence of its own, where no task has a limit in its own words, or where the only one ends the message.
 * Whoever means the last task alone is asked once too often, and pays nothing unasked.
 */
export const limitOfAll = async (
  { rules }: ButlerDeps,
  { said, most }: ButlerState,
  drafts: Draft[],
): Promise<string | undefined> => {
  if (most !== undefined) return most
  const limits = await Promise.all(said.map(it => rules.understand(it)))
  const maxPrice = limits.findLast(it => it.maxPrice !== undefined)?.maxPrice
  if (maxPrice === undefined) return undefined
  const text = said.join('\n')
  const sentences = text.split(/[.!?;]\s+|\n+/).slice(-mostSentences)
  if (namesWhole(text) || endsWithLimit(text) || sentences.some(isLimitAlone)) return maxPrice
  const own = await Promise.all(drafts.map(it => rules.understand(it.words)))
  return own.every(it => it.maxPrice === undefined) ? maxPrice : undefined
}
