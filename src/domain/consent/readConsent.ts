import { type Offer, toAtoms, toOwnWords, toPlain } from './offer.ts'
import { readingsOf, stepsAt } from './parse.ts'
import { grammars, isIdle, isNo, isYes, mayPrecedeNo } from './rules.ts'

/**
 * What an answer to a proposal does. A `cancel` declines it, and ends a running job where nothing is proposed. `unclear`: nothing
 * but words of such answers, which agree to nothing, such as "thanks", "ja ja" or the name of the agent alone.
 */
export type Consent = 'yes' | 'no' | 'cancel' | 'unclear'

/** A longer message holds more than an answer. */
const maxChars = 200
const maxAtoms = 24

/** A question, a pause, a sentence that goes on, or words that announce material: "proofread: yes, go ahead". */
const unfinished = /[?？؟]|\.\.|…|\p{L}:\s*\p{L}|[,;:\-–—、،，]\s*$/u

/**
 * Reads the answer to a proposal, by code and by form: a yes or no is a message that consists of known phrases of one language
 * and of the offer's own name, price and digest, and of nothing else. Every other message is undefined, whatever it resembles.
 * @param offer the open terms; without them no name and no figure is part of an answer
 */
export const readConsent = (message: string, offer?: Offer): Consent | undefined => {
  if (message.length > maxChars || unfinished.test(message)) return undefined
  const atoms = toAtoms(toPlain(message))
  if (atoms.length === 0 || atoms.length > maxAtoms) return undefined
  const own = offer && toOwnWords(offer)
  const key = atoms.join(' ')
  const read = grammars()
    .filter(it => !it.never.has(key))
    .map(it => ({ it, readings: readingsOf(it, atoms, own) }))
  if (read.some(({ it, readings }) => readings.some(units => isYes(units, it)))) return 'yes'
  const refusals = read.flatMap(({ readings }) => readings.filter(isNo))
  if (refusals.length > 0) return refusals.some(units => units.some(it => it.role === 'no')) ? 'no' : 'cancel'
  return grammars().some(it => readingsOf(it, atoms, own).some(isIdle)) ? 'unclear' : undefined
}

/** A refusal stands among the first words of a clause, or it is none. */
const maxLead = 6
const clauses = /[,.;!?…\n]+/

/** Whether a clause of a message begins with a refusal, whatever it goes on with: "no, my trip was called off". */
export const refuses = (message: string): boolean => refusesIn(message.slice(0, maxChars))

/** Whether any clause of a text begins with a refusal. */
export const refusesIn = (text: string): boolean =>
  text
    .split(clauses)
    .map(it => toAtoms(toPlain(it)))
    .some(beginsWithNo)

const beginsWithNo = (atoms: readonly string[]): boolean =>
  grammars().some(it =>
    atoms.slice(0, maxLead).some((_, at) => {
      const isRefusal = stepsAt(it, atoms, { at }).some(({ unit }) => unit.role === 'no' || unit.role === 'cancel')
      return isRefusal && readingsOf(it, atoms.slice(0, at)).some(mayPrecedeNo)
    }),
  )

/** Units at the beginning of a message in which an agreement is looked for. One that comes later does not begin the message. */
const maxBegun = 8

/**
 * Whether a message begins like an answer to a proposal and goes on otherwise: "go ahead once I am paid". `agrees`: like a clear
 * agreement. `perhaps`: like a refusal, or like a word that also begins other sentences, such as "ok" or "go".
 */
export const beginsLike = (message: string, offer?: Offer): 'agrees' | 'perhaps' | undefined => {
  const atoms = toAtoms(toPlain(message.slice(0, maxChars)))
  const own = offer && toOwnWords(offer)
  const begun = grammars().flatMap(it =>
    atoms.slice(0, maxBegun).flatMap((_, at) => {
      const start = atoms.slice(0, at + 1)
      return readingsOf(it, start, own).filter(units => isYes(units, it))
    }),
  )
  const isClear = begun.some(units =>
    units.some(({ role, key }) => role === 'yes' || role === 'sure' || (role === 'order' && key.includes(' '))),
  )
  if (isClear) return 'agrees'
  return begun.length > 0 || beginsWithNo(atoms) ? 'perhaps' : undefined
}

/**
 * Whether a message agrees on a condition: "yes, but only if it is free". Its words are no value of an input, and no yes. It may
 * also begin with the condition: "only if it is free".
 */
export const isConditional = (message: string, offer?: Offer): boolean => {
  const atoms = toAtoms(toPlain(message.slice(0, maxChars)))
  const own = offer && toOwnWords(offer)
  return grammars().some(it => {
    const conditionsAt = (at: number) => stepsAt(it, atoms, { at }).filter(({ unit }) => unit.role === 'condition')
    const agrees = (to: number) => readingsOf(it, atoms.slice(0, to), own).some(units => isYes(units, it))
    const isAlone = conditionsAt(0).some(({ length }) => length > 1)
    return isAlone || atoms.slice(0, maxAtoms).some((_, at) => at > 0 && conditionsAt(at).length > 0 && agrees(at))
  })
}
