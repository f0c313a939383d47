import { createHash } from 'node:crypto'
import { z } from 'zod'

export const json = z.json()
export type Json = z.infer<typeof json>
export const jsonObject = z.record(z.string(), json)
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
