import { createPostings } from './postings.ts'

/** Amounts are kept in tenths, so that the weights of fields have a digit behind the point. */
const tenths = 10

/** `saturation`: how late more of the same stops to matter; `lengthShare`: how far length counts against a listing. */
type Shape = { saturation: number; lengthShare: number }

/** The inverse document frequency of BM25 (Robertson and Spärck Jones), kept above zero. */
export const toWorth = (size: number, count: number): number => {
  const known = Math.min(size, count)
  return Math.log(1 + (size - known + 0.5) / (known + 0.5))
}

/** One kind of features of all listings, weighed as BM25 does (Robertson and Zaragoza 2009). */
export const createFamily = ({ saturation, lengthShare }: Shape) => {
  const postings = createPostings()
  const lengths: number[] = []
  let total = 0

  return {
    /** Amounts by feature, each weighed by the fields it stands in. */
    add(place: number, amounts: Map<string, number>) {
      let length = 0
      for (const [feature, amount] of amounts) {
        postings.add(feature, place, amount * tenths)
        length += amount
      }
      lengths[place] = length
      total += length
    },
    countOf: postings.countOf,
    /** Tells each listing that has a feature, how much of it in all, and that as a share (0–1) that saturates. */
    visit(feature: string, each: (place: number, share: number, amount: number) => void) {
      const average = lengths.length === 0 ? 1 : total / lengths.length || 1
      const fixed = saturation * (1 - lengthShare)
      const perLength = (saturation * lengthShare) / average
      postings.visit(feature, (place, counted) => {
        const amount = counted / tenths
        each(place, amount / (amount + fixed + perLength * (lengths[place] ?? 0)), amount)
      })
    },
  }
}
