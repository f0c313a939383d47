import type { Json, JsonObject } from '../../domain/json.ts'
import type { Kind, Slot } from './fields.ts'
import type { Page } from './page.ts'

/** The form that is being filled: its fields, the words, and what was found so far. */
export type Filling = {
  page: Page
  /** Ms since 1970. */
  now: number
  slots: readonly Slot[]
  /** Tells the listing's own words from what a user says of theirs. */
  isOwn(word: string): boolean
  /** The same for the listing's name and the names of its fields alone. */
  isName(word: string): boolean
  /** Fields without a value yet, required ones first. */
  open(...kinds: Kind[]): Slot[]
  /** Gives a field its value when the schema allows it; tells whether it was given. */
  give(slot: Slot, value: Json | undefined, isTyped?: boolean): boolean
  values: Map<string, Json>
  typed: Set<string>
}

export const createFilling = (of: Pick<Filling, 'page' | 'now' | 'slots' | 'isOwn' | 'isName'>): Filling => {
  const values = new Map<string, Json>()
  const typed = new Set<string>()
  return {
    ...of,
    values,
    typed,
    open: (...kinds) => of.slots.filter(it => !values.has(it.name) && (kinds.length === 0 || kinds.includes(it.kind))),
    give: (slot, value, isTyped = true) => {
      if (value === undefined || value === '' || values.has(slot.name) || !slot.fits(value)) return false
      values.set(slot.name, value)
      if (isTyped) typed.add(slot.name)
      return true
    },
  }
}

/** The values in the order of the form. */
export const toValues = (slots: readonly Slot[], values: ReadonlyMap<string, Json>): JsonObject =>
  Object.fromEntries(slots.flatMap(({ name }) => (values.has(name) ? [[name, values.get(name) ?? null] as const] : [])))
