/** Entries of one memory block. Blocks are appended and never copied, so that no write delays a search. */
const blockBits = 18
const blockEntries = 1 << blockBits
/** A 32-bit entry holds a place (22 bits, four million listings) and an amount (10 bits, up to 1023). */
const amountBits = 10
const maxAmount = (1 << amountBits) - 1
const toPlace = (entry: number): number => entry >>> amountBits
const toAmount = (entry: number): number => entry & maxAmount
/** Entries in the first chunk of a term: most terms occur in one listing only. Each further chunk doubles, up to the largest. */
const firstChunk = 2
const largestChunk = 4096
/** The header of a chunk holds the position of the previous chunk and its number of entries. */
const headerEntries = 2

type List = { chunk: number; room: number; used: number; count: number }

/** An inverted index: for each feature (a word or an n-gram), the places that have it and the amount in each. */
const createPostings = () => {
  const lists = new Map<string, List>()
  const blocks: Uint32Array[] = []
  let end = blockEntries

  const blockOf = (at: number): Uint32Array => blocks[at >>> blockBits] ?? new Uint32Array(0)
  const offsetOf = (at: number) => at & (blockEntries - 1)

  const allot = (entries: number): number => {
    if (end + entries > blockEntries) {
      blocks.push(new Uint32Array(blockEntries))
      end = 0
    }
    const at = (blocks.length - 1) * blockEntries + end
    end += entries
    return at
  }
  const startChunk = (before: List | undefined): List => {
    const room = before ? Math.min(largestChunk, before.room * 2) : firstChunk
    const chunk = allot(headerEntries + room)
    const block = blockOf(chunk)
    block[offsetOf(chunk)] = before?.chunk ?? 0
    block[offsetOf(chunk) + 1] = before?.used ?? 0
    return { chunk, room, used: 0, count: before?.count ?? 0 }
  }

  return {
    /** Adds one entry. A feature must be added at most once per place. */
    add(feature: string, place: number, amount: number) {
      let list = lists.get(feature)
      if (!list || list.used === list.room) {
        list = startChunk(list)
        lists.set(feature, list)
      }
      const at = offsetOf(list.chunk) + headerEntries + list.used
      blockOf(list.chunk)[at] = place * (maxAmount + 1) + Math.min(maxAmount, Math.max(1, Math.round(amount)))
      list.used += 1
      list.count += 1
    },
    /** The number of places with a feature, including places of removed listings. */
    countOf: (feature: string): number => lists.get(feature)?.count ?? 0,
    /** Calls `each` with the entries of a feature, as ranges of memory blocks (`to` is exclusive). */
    visit(feature: string, each: (block: Uint32Array, from: number, to: number) => void) {
      const list = lists.get(feature)
      if (!list) return
      let { chunk, used } = list
      while (used > 0) {
        const block = blockOf(chunk)
        const at = offsetOf(chunk)
        each(block, at + headerEntries, at + headerEntries + used)
        chunk = block[at] ?? 0
        used = block[at + 1] ?? 0
      }
    },
  }
}

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
