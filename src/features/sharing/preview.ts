import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { hash32 } from '../../domain/text/hash32.ts'
import { type Pixels, toPng } from './png.ts'

/** A letter: its width, and where its box of opacities (0–15) begins beside the pen. All in px of `size`. */
type Glyph = { advance: number; left: number; top: number; width: number; height: number; alpha: Uint8Array }

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

/** What a preview picture says. `seed` gives its colour. */
export type Preview = { title: string; by: string; price: string; isChecked: boolean; seed: string }

/** The size that messengers show whole. */
const [width, height] = [1200, 630]
const edge = 90
type Colour = readonly [red: number, green: number, blue: number]
const paper: Colour = [0xf6, 0xf5, 0xf0]
const ink: Colour = [0x1d, 0x1a, 0x16]
const quiet: Colour = [0x5c, 0x54, 0x4b]
const accent: Colour = [0x0d, 0x6b, 0x5f]
const hues: readonly Colour[] = [
  [0x3e, 0x6f, 0xc9],
  [0xc7, 0x4a, 0x78],
  [0x8d, 0x56, 0xb5],
  [0xb8, 0x5c, 0x2e],
  [0x2f, 0x8f, 0x7a],
  [0x8a, 0x7a, 0x1f],
]
const mostLines = 3

/** Letters that the picture cannot draw are left out. A text of none of them becomes the other one. */
const drawable = (text: string, instead: string): string => {
  const { glyphs } = readGlyphs()
  const known = [...text]
    .filter(it => glyphs.has(it))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
  return known === '' ? instead : known
}

const widthOf = (text: string): number => [...text].reduce((sum, it) => sum + (readGlyphs().glyphs.get(it)?.advance ?? 0), 0)

/** Breaks a text into lines. A word that is longer than a line is broken too; the rest after the last line is left out. */
const toLines = (text: string, most: number): string[] => {
  const lines = ['']
  for (const letter of text) {
    const last = lines.at(-1) ?? ''
    if (widthOf(last + letter) <= most) lines[lines.length - 1] = last + letter
    else {
      const space = last.lastIndexOf(' ')
      const [kept, moved] = space > 0 ? [last.slice(0, space), last.slice(space + 1)] : [last, '']
      lines[lines.length - 1] = kept
      lines.push((moved + letter).trimStart())
    }
  }
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines - 1), `${(lines[mostLines - 1] ?? '').slice(0, -1)}…`]
}

const mix = (pixels: Pixels, { colour, share, ...at }: { x: number; y: number; colour: Colour; share: number }): void => {
  if (at.x < 0 || at.y < 0 || at.x >= width || at.y >= height || share <= 0) return
  const from = (at.y * width + at.x) * 3
  for (const [part, wanted] of colour.entries())
    pixels.bytes[from + part] = Math.round((pixels.bytes[from + part] ?? 0) * (1 - share) + wanted * share)
}

/** Opacity (0–1) of a letter at a place of its box. */
const shareAt = ({ alpha, width: wide, height: high }: Glyph, [x, y]: [x: number, y: number]): number =>
  x < 0 || y < 0 || x >= wide || y >= high ? 0 : (alpha[y * wide + x] ?? 0) / 15

/** The mean opacity of `scale` × `scale` places of a letter from a corner. */
const meanShare = (glyph: Glyph, { x, y }: { x: number; y: number }, scale: number): number => {
  let share = 0
  for (let dy = 0; dy < scale; dy += 1) for (let dx = 0; dx < scale; dx += 1) share += shareAt(glyph, [x + dx, y + dy])
  return share / (scale * scale)
}

type Text = { text: string; x: number; y: number; colour: Colour; scale: 1 | 2 }

/** Writes a line; `y` is its base line. With scale 2 the letters have half the size. */
const write = (pixels: Pixels, { text, x, y, colour, scale }: Text): void => {
  const { glyphs } = readGlyphs()
  let pen = x
  for (const letter of text) {
    const glyph = glyphs.get(letter)
    if (!glyph) continue
    const [left, top] = [Math.floor(glyph.left / scale), Math.floor(glyph.top / scale)]
    for (let row = 0; row <= glyph.height / scale; row += 1)
      for (let column = 0; column <= glyph.width / scale; column += 1) {
        const corner = { x: (left + column) * scale - glyph.left, y: (top + row) * scale - glyph.top }
        mix(pixels, { x: Math.round(pen) + left + column, y: y + top + row, colour, share: meanShare(glyph, corner, scale) })
      }
    pen += glyph.advance / scale
  }
}

const fill = (pixels: Pixels, { x, y, w, h }: { x: number; y: number; w: number; h: number }, colour: Colour): void => {
  for (let row = y; row < y + h; row += 1)
    for (let column = x; column < x + w; column += 1) mix(pixels, { x: column, y: row, colour, share: 1 })
}

/** Draws the picture of a shared result. Its texts are drawn as letters alone, so no markup in them can do anything. */
export const drawPreview = ({ title, by, price, isChecked, seed }: Preview): Promise<Uint8Array<ArrayBuffer>> => {
  const pixels = { width, height, bytes: Buffer.alloc(width * height * 3) }
  fill(pixels, { x: 0, y: 0, w: width, h: height }, paper)
  fill(pixels, { x: 0, y: 0, w: width, h: 18 }, hues[Math.abs(hash32(seed)) % hues.length] ?? accent)
  write(pixels, { text: 'Agent marketplace', x: edge, y: 120, colour: accent, scale: 2 })
  const lines = toLines(drawable(title, 'A result'), width - 2 * edge)
  for (const [at, text] of lines.entries()) write(pixels, { text, x: edge, y: 240 + 78 * at, colour: ink, scale: 1 })
  write(pixels, { text: `by ${drawable(by, 'an agent')}`, x: edge, y: 500, colour: quiet, scale: 2 })
  const paid = `${price}${isChecked ? ' · its form was checked' : ''}`
  write(pixels, { text: drawable(paid, ''), x: edge, y: 552, colour: isChecked ? accent : quiet, scale: 2 })
  return toPng(pixels)
}
