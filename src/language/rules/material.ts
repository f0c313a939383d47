import { findFences } from '../text/fences.ts'
import { takePrice } from '../text/limits.ts'
import { findAbove, findAround } from '../text/marked.ts'
import { findQuotations } from '../text/quotations.ts'
import { toMeaning } from '../words/words.ts'

// Separates a request from the text to be processed: a fence, a quotation, the text after a colon, or the lines below.

/** Quotations of at most this many words are titles or names within the request; longer ones are material. */
const titleWords = 6

const wordCount = (text: string) => text.split(/\s+/).filter(Boolean).length

type Split = { request: string; material: string }

/**
 * Splits a message into the request and its material. The material is empty when none is marked.
 */
export const split = (message: string): Split => {
  const around = findAround(message) ?? findAbove(message)
  const [fence] = around ? [around] : findFences(message)
  const [quote] = findQuotations(message).toSorted((a, b) => b.end - b.start - (a.end - a.start))
  const isLong = quote !== undefined && wordCount(message.slice(quote.start, quote.end)) > titleWords
  const marked = fence ?? (isLong ? quote : undefined)
  if (marked) {
    const { from, to, start, end } = marked
    return { request: `${message.slice(0, from)} ${message.slice(to)}`, material: message.slice(start, end) }
  }
  const mark = /:(?=\s)|\n/.exec(message)
  if (!mark) return { request: message, material: '' }
  const request = message.slice(0, mark.index)
  const material = message.slice(mark.index + 1).trim()
  // A greeting or a price before the colon is not a request.
  return toMeaning(takePrice(request).rest).length > 0 && material ? { request, material } : { request: message, material: '' }
}
