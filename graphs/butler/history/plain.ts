import { isObject, type Json, type JsonObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import { redactSecrets } from '../../../src/domain/text/secretTexts.ts'

const cutMark = '…[cut]'

// Cutting a cut text returns it unchanged, because a replay compares texts that come from cut ones.
const cut = (text: string): string => {
  const { historyTextChars: most } = limits
  return text.length <= most ? text : text.slice(0, most - cutMark.length) + cutMark
}

const toMember = (_name: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return { $bigint: String(value) }
  return typeof value === 'string' ? cut(redactSecrets(value)) : value
}

const fromMember = (_name: string, value: unknown): unknown =>
  isObject(value) && typeof value.$bigint === 'string' ? BigInt(value.$bigint) : value

/** Converts a value to JSON without secrets, with long texts cut; undefined for undefined. Functions are left out. */
export const toPlain = (value: unknown): Json | undefined => {
  const text: string | undefined = JSON.stringify(value, toMember)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Like `toPlain`, for a list. */
export const toPlainList = (values: unknown[]): Json[] => values.map(it => toPlain(it) ?? null)

/** Like `toPlain`, for the update of a node. A member that is removed becomes null. */
export const toPlainUpdate = (update: object): JsonObject =>
  Object.fromEntries(Object.entries(update).map(([name, it]) => [name, toPlain(it) ?? null]))

/** Converts a plain value back to what the port returned. */
export const fromPlain = (value: Json | undefined): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value), fromMember)
