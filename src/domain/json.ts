import { createHash } from 'node:crypto'
import { z } from 'zod'
import { limits } from './limits.ts'

/** Whether a value has at most `levels` levels, determined without recursion. */
export const isShallow = (value: unknown, levels: number = limits.jsonDepth): boolean => {
  let level = [value]
  for (let left = levels; left > 0 && level.length > 0; left -= 1) level = level.flatMap(membersOf)
  return level.length === 0
}

/** Whether a value contains at most `most` values, itself included. */
export const isCountable = (value: unknown, most: number = limits.jsonValues): boolean => {
  const left = [value]
  for (let seen = 1; left.length > 0; ) {
    const inside = membersOf(left.pop())
    seen += inside.length
    if (seen > most) return false
    for (const it of inside) left.push(it)
  }
  return true
}

/** Whether all numbers of a shallow value are finite: `1e400` is valid JSON, but Infinity in JavaScript. */
export const isWithinNumbers = (value: unknown): boolean => {
  for (let level = [value]; level.length > 0; level = level.flatMap(membersOf))
    if (level.some(it => typeof it === 'number' && !Number.isFinite(it))) return false
  return true
}

/**
 * Whether a value is shallow and has at most `most` bytes as JSON text in UTF-8. Serialising a deep value would overflow the
 * stack.
 */
export const isWithinBytes = (value: unknown, most: number): boolean =>
  isShallow(value) && isWithinChars(value, most) && Buffer.byteLength(JSON.stringify(value) ?? '') <= most

// Lower bound of the size: each character takes at least one byte. A value with too long texts is refused without serialising
// it.
const isWithinChars = (value: unknown, most: number): boolean => {
  const left = [value]
  for (let seen = 0; left.length > 0; ) {
    const it = left.pop()
    if (typeof it === 'string') seen += it.length
    if (seen > most) return false
    for (const inside of membersOf(it)) left.push(inside)
  }
  return true
}

const membersOf = (value: unknown): unknown[] => (typeof value === 'object' && value !== null ? Object.values(value) : [])

const tooDeep = `is nested more than ${limits.jsonDepth} levels deep`

export const json = z
  .unknown()
  .refine(it => isShallow(it), tooDeep)
  .pipe(z.json())
export type Json = z.infer<typeof json>
export const jsonObject = z
  .record(z.string(), z.unknown())
  .refine(it => isShallow(it), tooDeep)
  .pipe(z.record(z.string(), z.json()))
export type JsonObject = z.infer<typeof jsonObject>

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses JSON text; undefined when it is malformed. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return json.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** JSON text with sorted keys, so that equal values have equal texts. */
export const canonical = (value: Json): string =>
  JSON.stringify(value, (_key, inner: Json) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )

/** SHA-256 in hex of a text. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
