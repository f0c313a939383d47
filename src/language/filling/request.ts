import type { JsonObject } from '../../domain/json.ts'
import type { Limits } from '../values/wishes.ts'

/** An open question: the names of its fields. */
export type Asked = { fields: readonly string[] }

export type FillOf = {
  /** The user's newest message. */
  text: string
  /** The offering's requirement. Without one, or without properties, the offering takes plain text under the name `text`. */
  requirement: JsonObject | null | undefined
  /** Ms since 1970. Relative dates and times refer to it, in UTC. */
  now: number
  /** The offering's name, then its description from the second line on. Its words are not read as values. */
  listing?: string
  asked?: Asked
  /** Values given earlier. Without an open question, the text changes them. */
  known?: JsonObject
}

export type Filled = {
  values: JsonObject
  /** Required fields without a value. */
  missing: string[]
  /** Names of the fields that received a value from this text. */
  given: string[]
  /** Words that no field used. */
  leftover: string
  /** Words that no value of a specific kind used. The one free text of a request may have taken them. */
  untyped: string
  limits: Limits
  /** Number of values with a specific kind, such as a date, a place or a choice. */
  typed: number
}
