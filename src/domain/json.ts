import { createHash } from 'node:crypto'
import { z } from 'zod'
import { limits } from './limits.ts'
import { isObject } from './objects.ts'

export { isObject }

/** Whether a value has at most `levels` levels. Deeper ones are not entered, so the call stack is safe. */
export const isShallow = (value: unknown, levels: number = limits.jsonDepth): boolean =>
  levels > 0 && isEveryMember(value, it => isShallow(it, levels - 1))

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
export const isWithinNumbers = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : isEveryMember(value, isWithinNumbers)

/** Lists no members first, because that takes twice as long for a long list. */
const isEveryMember = (value: unknown, isRight: (it: unknown) => boolean): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(it => isRight(it))
  for (const name of Object.keys(value)) if (!isRight(Reflect.get(value, name))) return false
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

/** Parses JSON text; undefined when it is malformed, too deep, or has a number beyond all numbers. */
export const parseJson = (text: string): Json | undefined => {
  try {
    const value: Json = JSON.parse(text)
    return isShallow(value) && isWithinNumbers(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** JSON text with sorted keys, so that equal values have equal texts. */
export const canonical = (value: Json): string =>
  JSON.stringify(value, (_key, inner: Json) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
