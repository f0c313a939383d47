import { hash32 } from '../../domain/text/hash32.ts'

/** The features of an agent's picture: eight hues, eight shapes, three pairs of eyes, and their direction. */
export type FaceLooks = { hue: number; shape: number; eyes: number; x: number; y: number }

/** Derives the picture's features from an id: FNV-1a (32 bits) over its UTF-8 bytes, with a final mixing step. */
export const faceOf = (id: string): FaceLooks => {
  let hash = hash32(String.fromCharCode(...new TextEncoder().encode(id)))
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash = (hash ^ (hash >>> 12)) >>> 0
  return {
    hue: hash & 7,
    shape: (hash >>> 3) & 7,
    eyes: (hash >>> 6) % 3,
    x: ((hash >>> 9) % 5) - 2,
    y: ((hash >>> 13) % 3) - 1,
  }
}
