import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

/** A letter: its width, and where its box of opacities (0–15) begins beside the pen. All in px of `size`. */
export type Glyph = { advance: number; left: number; top: number; width: number; height: number; alpha: Uint8Array }

// A list, because an object would put the digits first, and the opacities follow the order of the letters.
const box = z.tuple([z.string(), z.number(), z.number(), z.number(), z.number(), z.number()])
const file = z.object({ size: z.number(), glyphs: z.array(box), alpha: z.string() })

let known: { size: number; glyphs: ReadonlyMap<string, Glyph> } | undefined

/** Latin letters of the page's font (Figtree, OFL) as pixels. Two opacities are in a byte, the first in its lower half. */
export const readGlyphs = () => {
  known ??= unpack()
  return known
}

const unpack = () => {
  const { size, glyphs, alpha } = file.parse(JSON.parse(readFileSync(new URL('glyphs.json', import.meta.url), 'utf8')))
  const packed = gunzipSync(Buffer.from(alpha, 'base64'))
  let at = 0
  const read = () => {
    const byte = packed[at >> 1] ?? 0
    return at++ % 2 === 0 ? byte & 15 : byte >> 4
  }
  const all = glyphs.map(([letter, advance, left, top, width, height]): [string, Glyph] => [
    letter,
    { advance, left, top, width, height, alpha: Uint8Array.from({ length: width * height }, read) },
  ])
  return { size, glyphs: new Map(all) }
}
