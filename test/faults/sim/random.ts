import { hash32 } from '../../../src/domain/text/hash32.ts'

/** A seeded random source. Every random decision of a simulation uses one. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from 0 to `below` (exclusive). */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** A random item, in proportion to its weight. */
  weighted<T extends { weight: number }>(items: readonly T[]): T
  shuffled<T>(items: readonly T[]): T[]
  hex(digits: number): string
  /** A separate source, so that one part's draws do not affect another part. */
  fork(name: string): Random
}

export const createRandom = (seed: string): Random => {
  const next = sfc32(seed)
  const int = (below: number) => Math.floor(next() * below)
  const pick = <T>(items: readonly T[]): T => {
    const item = items[int(items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
  return {
    next,
    int,
    chance: probability => next() < probability,
    pick,
    weighted(items) {
      let left = next() * items.reduce((sum, it) => sum + it.weight, 0)
      for (const it of items) {
        left -= it.weight
        if (left < 0) return it
      }
      return pick(items)
    },
    shuffled: items => {
      const mixed = [...items]
      for (let at = mixed.length - 1; at > 0; at--) swap(mixed, at, int(at + 1))
      return mixed
    },
    hex: digits => {
      let text = ''
      while (text.length < digits) text += int(0x1_0000_0000).toString(16).padStart(8, '0')
      return text.slice(0, digits)
    },
    fork: name => createRandom(`${seed}/${name}`),
  }
}

const swap = <T>(items: T[], a: number, b: number) => {
  const [first, second] = [items[a], items[b]]
  if (first === undefined || second === undefined) return
  items[a] = second
  items[b] = first
}

/** FNV-1a of the seed's text as the state of the sfc32 generator (C. Doty-Humphrey, PractRand). */
const sfc32 = (seed: string): (() => number) => {
  const state = hash32(seed)
  let [a, b, c, counter] = [state, state ^ 0x9e3779b9, state ^ 0x243f6a88, 1]
  const draw = () => {
    const mixed = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + mixed) | 0
    return (mixed >>> 0) / 0x1_0000_0000
  }
  for (let round = 0; round < 12; round++) draw()
  return draw
}
