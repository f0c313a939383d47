import { isAbove, toCost } from '../../domain/money/money.ts'
import { type Offering, toSearchText } from '../../domain/offerings/offering.ts'
import { toTerms } from '../words/words.ts'

export type Wishes = { maxPrice?: string | undefined; withinMinutes?: number | undefined; category?: string | undefined }

/** Describes which of the user's limits an offering exceeds; empty if none. */
export const gapOf = (offering: Offering, { maxPrice, withinMinutes, category }: Wishes): string => {
  const { price, slaMinutes, usage } = offering
  const cost = toCost(price, usage !== undefined)
  const terms = category ? toTerms(category) : []
  const words = terms.length > 0 ? new Set(toTerms(toSearchText(offering))) : new Set()
  return [
    maxPrice !== undefined && isAbove(price, maxPrice) && `it costs ${cost} USDC, you said at most ${maxPrice}`,
    withinMinutes !== undefined && slaMinutes > withinMinutes && `it promises ${slaMinutes} minutes, you said ${withinMinutes}`,
    terms.some(it => !words.has(it)) && `it does not name the category ${category}`,
  ]
    .filter(it => it !== false)
    .join('; ')
}
