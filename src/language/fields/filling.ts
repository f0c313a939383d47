import type { Json, JsonObject } from '../../domain/json.ts'
import type { Kind, Slot } from './fields.ts'
import type { Page } from './page.ts'
import { toInput } from './requirement.ts'

/** The state of reading one request: its fields, its remaining words and the values found so far. */
export type Filling = {
  page: Page
  /** Ms since 1970. */
  now: number
  slots: readonly Slot[]
  /** Whether a word occurs in the listing or in its field names, so that it is probably not a value. */
  isOwn(word: string): boolean
  /** Like `isOwn`, but only for the listing's name and the field names. */
  isName(word: string): boolean
  /** Whether a word occurs in the listing's name or description. */
  isListed(word: string): boolean
  /** Returns the fields of these kinds that have no value yet, required ones first. */
  open(...kinds: Kind[]): Slot[]
  /** Sets the value of a field that has none, if the schema allows it. @returns whether the value was set */
  give(slot: Slot, value: Json | undefined, isTyped?: boolean): boolean
  values: Map<string, Json>
  typed: Set<string>
}

/** One word in small letters is no postal address. */
const noAddress = /^\p{Ll}+$/u

/** Without `isListed`, the listing's words are those of `isOwn`. */
type FillingOf = Pick<Filling, 'page' | 'now' | 'slots' | 'isOwn' | 'isName'> & Partial<Pick<Filling, 'isListed'>>

/** Creates an empty form for a request. `give` returns false for a value that is empty, does not fit, or is already given. */
export const createFilling = (of: FillingOf): Filling => {
  const values = new Map<string, Json>()
  const typed = new Set<string>()
  return {
    isListed: of.isOwn,
    ...of,
    values,
    typed,
    open: (...kinds) => of.slots.filter(it => !values.has(it.name) && (kinds.length === 0 || kinds.includes(it.kind))),
    give: (slot, value, isTyped = true) => {
      if (value === undefined || value === '' || values.has(slot.name) || !slot.fits(value)) return false
      if (slot.kind === 'address' && noAddress.test(String(value))) return false
      values.set(slot.name, value)
      if (isTyped) typed.add(slot.name)
      return true
    },
  }
}

/** Returns the input in the order of the schema. */
export const toValues = (slots: readonly Slot[], values: ReadonlyMap<string, Json>): JsonObject =>
  toInput(slots.flatMap(({ name, path }) => (values.has(name) ? [{ path, value: values.get(name) ?? null }] : [])))
