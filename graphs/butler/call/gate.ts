import type { Json, JsonObject } from '../../../src/domain/json.ts'
import { isAbove, timesUsdc } from '../../../src/domain/money/money.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { toOwnWords, withoutMarks } from '../../../src/domain/text/ownWords.ts'
import { type Property, toProperties } from '../../../src/language/fields/requirement.ts'
import { toTerms } from '../../../src/language/words/words.ts'
import type { ButlerState } from '../state.ts'
import { isGrounded } from './grounding.ts'

// What is bought under a mandate, without asking, after a model read the message: only what code can defend.

/** An offering may cost so many times the cheapest one that was found, or be the first one of the search. */
const dearFactor = 2n
/** An offering that covers a smaller share of the words is for something else, and no measure of the price. */
const minCoverage = 0.3

type Bought = { listing: Listing; input: JsonObject; found: { listing: Listing; coverage: number }[] }

/** Whether a hire may go under a mandate without asking. Without a call of a model, the rules have read everything. */
export const isDefensible = ({ called, said }: ButlerState, { listing, input, found }: Bought): boolean => {
  if (!called) return true
  if (called.isStrange || called.concluded.length > 0) return false
  // Where the model meant another offering than the one that fits the limits, or none, the user decides.
  const isMeant = called.picks.some(it => it.agentId === listing.agentId && it.offeringId === listing.id)
  if (!isMeant) return false
  const own = said.map(toOwnWords)
  const words = own.map(it => it.text).join('\n')
  const material = own.flatMap(it => it.material)
  const areSaid = toProperties(listing.requirement)
    .filter(it => Object.hasOwn(input, it.name))
    .every(it => isMaterial(input[it.name], material) || isTouched(it, input[it.name] ?? null, words))
  return areSaid && isFirstOrCheap(listing, found)
}

const isFirstOrCheap = ({ agentId, id, price }: Listing, found: Bought['found']): boolean => {
  const [first] = found
  if (first?.listing.agentId === agentId && first.listing.id === id) return true
  const limits = found.filter(it => it.coverage >= minCoverage).map(it => timesUsdc(it.listing.price, dearFactor))
  return limits.length > 0 && limits.every(it => it !== undefined && !isAbove(price, it))
}

/** Whether a value is what the user quoted, as a whole: it may say anything, and its words choose nothing. */
const isMaterial = (value: Json | undefined, material: string[]): boolean =>
  typeof value === 'string' && material.some(it => withoutMarks(it) === withoutMarks(value))

/** Whether the user's own words hold a value. A yes or no needs words of its field. */
const isTouched = ({ name, description }: Property, value: Json, words: string): boolean => {
  if (typeof value !== 'boolean') return isGrounded(value, words)
  const said = new Set(toTerms(words))
  return toTerms(`${name.replaceAll('_', ' ')} ${description}`).some(it => said.has(it))
}
