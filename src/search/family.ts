import { createPostings, maxAmount, toAmount, toPlace } from './postings.ts'

/** Amounts are stored in tenths, so that field weights keep one decimal. */
const tenths = 10
const logs = Float64Array.from({ length: maxAmount + 1 }, (_, counted) => Math.log1p(counted / tenths))

/** The parameters of BM25: `saturation` is k1 and `lengthShare` is b. */
type Shape = { saturation: number; lengthShare: number }

type Asked = { feature: string; perShare: number; perAngle?: number }

/**
 * The inverse document frequency of BM25 (Robertson and Spärck Jones), kept above zero.
 * @param size number of listings
 * @param count number of listings with the term
 */
export const toWorth = (size: number, count: number): number => {
  const known = Math.min(size, count)
  return Math.log(1 + (size - known + 0.5) / (known + 0.5))
}

/** An index of one kind of term (words or n-grams) with BM25 weights (Robertson and Zaragoza 2009). */
export const createFamily = ({ saturation, lengthShare }: Shape) => {
  const postings = createPostings()
  const lengths: number[] = []
  /** Vector length of each listing; each component is log(1 + amount). */
  const roots: number[] = []
  let total = 0

  return {
    /** Adds a listing. `amounts` are the term counts, weighted by field. */
    add(place: number, amounts: Map<string, number>) {
      let [length, squares] = [0, 0]
      for (const [feature, amount] of amounts) {
        postings.add(feature, place, amount * tenths)
        length += amount
        squares += Math.log1p(amount) ** 2
      }
      lengths[place] = length
      roots[place] = Math.sqrt(squares) || 1
      total += length
    },
    countOf: postings.countOf,
    /**
     * Calls `each` with the score that a term adds to each listing that contains it. `perShare` weighs the saturated term
     * frequency, and `perAngle` the cosine component. One loop, because it runs some hundred thousand times a search.
     */
    visit({ feature, perShare, perAngle = 0 }: Asked, each: (place: number, added: number) => void) {
      const average = total / Math.max(1, lengths.length) || 1
      const fixed = saturation * (1 - lengthShare)
      const perLength = (saturation * lengthShare) / average
      postings.visit(feature, (block, from, to) => {
        for (let at = from; at < to; at += 1) {
          const entry = block[at] ?? 0
          const place = toPlace(entry)
          const counted = toAmount(entry)
          const amount = counted / tenths
          const share = amount / (amount + fixed + perLength * (lengths[place] ?? 0))
          const angle = perAngle === 0 ? 0 : (perAngle * (logs[counted] ?? 0)) / (roots[place] ?? 1)
          each(place, perShare * share + angle)
        }
      })
    },
  }
}
export type Family = ReturnType<typeof createFamily>
