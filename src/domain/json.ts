import { createHash } from 'node:crypto'
import { z } from 'zod'
import { limits } from './limits.ts'

/** Whether a value has at most so many levels, found without recursion. */
export const isShallow = (value: unknown, levels: number = limits.jsonDepth): boolean => {
  let level = [value]
  for (let left = levels; left > 0 && level.length > 0; left -= 1) level = level.flatMap(membersOf)
  return level.length === 0
}

/** Whether a value holds at most so many values, itself included. */
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

/** Whether all numbers of a shallow value are numbers: `1e400` is JSON, and infinite here. */
export const isWithinNumbers = (value: unknown): boolean => {
  for (let level = [value]; level.length > 0; level = level.flatMap(membersOf))
    if (level.some(it => typeof it === 'number' && !Number.isFinite(it))) return false
  return true
}

/** Whether a value is shallow and at most so many bytes of JSON text in UTF-8. Writing a deep value would exceed the stack. */
export const isWithinBytes = (value: unknown, most: number): boolean =>
  isShallow(value) && Buffer.byteLength(JSON.stringify(value) ?? '') <= most

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

/** JSON text, or undefined when the text is none. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return json.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** JSON with keys in one order, so that equal values have equal text. */
export const canonical = (value: Json): string =>
  JSON.stringify(value, (_key, inner: Json) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )

/** SHA-256 in hex of a text. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
