import { isObject, type Json, type JsonObject } from '../../domain/json.ts'
import { type Slot, toSlot } from '../fields/fields.ts'
import { createFilling, type Filling, toValues } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { toLeaves } from '../fields/requirement.ts'
import { withoutNames } from '../filling/fillRequest.ts'
import { readTyped } from '../filling/read.ts'
import { readRest } from '../filling/rest.ts'
import { createOwnWords } from '../words/vocabulary.ts'

// Fills the inputs of an offering again from the words that are left, until no new value is found: "the time in Tokyo and in
// London" gives two inputs. Each value is used once, so a list field takes all of its items in the first round.

/** What one round read: the values by leaf, and which of them have a form. */
export type Round = { values: ReadonlyMap<string, Json>; typed: ReadonlySet<string> }
/**
 * `readPart` reads a part of it; `readWhole` also gives it
 * what has no form of its own. `isSpent`: the text was too long to read all of its parts, so nothing they gave can be relied on.
 */
export type Rounds = {
  slots: readonly Slot[]
  rounds: Round[]
  readPart(text: string): Round
  readWhole(text: string): Round
  isSpent(): boolean
  /** Whether a word stands in the name of the offering or of a field. */
  isName(word: string): boolean
}

export type RoundsOf = { text: string; requirement: JsonObject; listing: string; now: number }

const maxRounds = 9
/**
 * Characters times fields that are read for one text, about 80 ms. Its parts are read again with those before them, and a stranger
 * may write both the text and the fields.
 */
const maxWork = 200_000
/** A text costs as much as this many fields even if there are none. */
const ownFields = 10
const nothing: Round = { values: new Map(), typed: new Set() }

/** Counts what is read. `take` says whether a text may still be read. */
const createBudget = (fields: number) => {
  let left = maxWork
  return {
    take(text: string): boolean {
      left -= text.length * (fields + ownFields)
      return left > 0
    },
    isSpent: () => left <= 0,
  }
}
const readRound = (
  text: string,
  of: { slots: readonly Slot[]; isOwn: Filling['isOwn']; isName: Filling['isName']; now: number },
) => {
  const page = createPage(text)
  const filling = createFilling({ ...of, page })
  readTyped(filling)
  return { filling, page }
}

/** Reads the values of a text in rounds. The first round gives the input of a single hire. */
export const readRounds = ({ text, requirement, listing, now }: RoundsOf): Rounds => {
  const leaves = toLeaves(requirement)
  const fields = leaves.map(it => it.path.join(' ').replaceAll('_', ' ')).join(' ')
  const isOwn = createOwnWords(`${withoutNames(listing)} ${fields}`)
  const isName = createOwnWords(`${listing.split('\n')[0]} ${fields}`)
  const slots = leaves.map(toSlot).sort((a, b) => Number(b.required) - Number(a.required))
  const reader = { slots, isOwn, isName, now }
  const budget = createBudget(slots.length)
  const rounds: Round[] = []
  let left = text
  while (rounds.length < maxRounds && (budget.take(left) || rounds.length === 0)) {
    const { filling, page } = readRound(left, reader)
    if (rounds.length === 0) readRest(filling)
    // The first round may be empty: what the text lists is read beside it.
    if (rounds.length > 0 && (filling.values.size === 0 || page.rest() === left)) break
    rounds.push({ values: filling.values, typed: filling.typed })
    left = page.rest()
  }
  const read = (part: string, isWhole: boolean): Round => {
    if (!budget.take(part)) return nothing
    const { filling } = readRound(part, reader)
    if (isWhole) readRest(filling)
    return { values: filling.values, typed: filling.typed }
  }
  const own = { slots, rounds, isSpent: budget.isSpent, isName }
  return { ...own, readPart: it => read(it, false), readWhole: it => read(it, true) }
}

export const toInput = ({ slots }: Rounds, values: ReadonlyMap<string, Json>): JsonObject => toValues(slots, values)

export const isScalar = (value: Json | undefined): value is string | number | boolean =>
  value !== undefined && value !== null && !Array.isArray(value) && !isObject(value)
