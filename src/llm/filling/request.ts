import type { JsonObject } from '../../domain/json.ts'
import type { Limits } from './wishes.ts'

/** A question that is open: its fields, and how often they were asked. */
export type Asked = { fields: readonly string[]; times: number }

export type FillOf = {
  /** What the user says now. */
  text: string
  /** The offering's requirement; none, or one without properties, takes plain text under the name `text`. */
  requirement: JsonObject | null | undefined
  /** Ms since 1970: days and times of the day are counted from it, in UTC. */
  now: number
  /** Name of the offering, and its description from the second line on: its words are no content of a request for it. */
  listing?: string
  asked?: Asked
  /** Values that were given before; without an open question the text changes them. */
  known?: JsonObject
}

export type Filled = {
  values: JsonObject
  /** Required fields without a value. */
  missing: string[]
  /** Names of the fields to which this text gave a value. */
  given: string[]
  /** Words that nothing took. */
  leftover: string
  limits: Limits
  /** How many values have a type of their own, such as a date, a place or a choice. */
  typed: number
}
