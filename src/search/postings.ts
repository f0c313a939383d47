/** Entries of one block of memory; blocks are added and never copied, so that no write holds up a search. */
const blockBits = 18
const blockEntries = 1 << blockBits
/** An entry is a place and an amount in one number of 32 bits: four million places, amounts up to 1023. */
const amountBits = 10
export const mostAmount = (1 << amountBits) - 1
export const toPlace = (entry: number): number => entry >>> amountBits
export const toAmount = (entry: number): number => entry & mostAmount
/** The first chunk of a feature, since most stand in one listing only; each further one doubles, up to the largest. */
const firstChunk = 2
const largestChunk = 4096
/** Before its entries a chunk says where the one before it stands, and how many entries that has. */
const headerEntries = 2

type List = { chunk: number; room: number; used: number; count: number }

/** For each feature (a word, or a part of one) the places that have it, and how much of it: an inverted index. */
export const createPostings = () => {
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
    /** A feature is added once a place. */
    add(feature: string, place: number, amount: number) {
      let list = lists.get(feature)
      if (!list || list.used === list.room) {
        list = startChunk(list)
        lists.set(feature, list)
      }
      const at = offsetOf(list.chunk) + headerEntries + list.used
      blockOf(list.chunk)[at] = place * (mostAmount + 1) + Math.min(mostAmount, Math.max(1, Math.round(amount)))
      list.used += 1
      list.count += 1
    },
    /** How many places have a feature, those counted too whose listing is gone. */
    countOf: (feature: string): number => lists.get(feature)?.count ?? 0,
    /** The entries of a feature, in pieces of memory from one index to before another. */
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
