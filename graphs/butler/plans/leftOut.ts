import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { splitChange, withoutLead } from '../../../src/language/filling/changes.ts'
import { isEmpty } from '../../../src/language/words/vocabulary.ts'
import type { ButlerState, Draft } from '../state.ts'
import { unsaidOf } from '../unread.ts'
import { toPlain } from './plainWords.ts'

/**
 * What of the user's words no step gets, by draft. What stands in the input of another step is not left out, and a phrase that
 * several steps share is named once.
 */
export const toLeftOut = (drafts: readonly Draft[]): string[][] => {
  const sent = ` ${toPlain(JSON.stringify(drafts.map(it => it.values)))} `
  const named = new Set<string>()
  return drafts.map(({ leftOut }) =>
    leftOut.filter(phrase => {
      const words = toPlain(phrase)
      const isNew = !named.has(words) && !sent.includes(` ${words} `) && !words.split(' ').every(isEmpty)
      named.add(words)
      return isNew
    }),
  )
}

type Planned = { drafts: readonly Draft[]; leftOut: readonly string[][]; listings: readonly (Listing | undefined)[] }

/**
 * Adds what no step has of the message, to the step in whose words it stands, else to the last one. A step that its user left
 * out loses nothing.
 */
export const withUnsaid = (
  { said, unplanned, skipped = [] }: ButlerState,
  { drafts, leftOut, listings }: Planned,
): string[][] => {
  const [message = '', ...more] = said
  if (more.length > 0 || drafts.some((it, at) => it.at !== at)) return [...leftOut]
  const hires = drafts.flatMap((it, at) => {
    const listing = listings[at]
    return listing ? [{ listing, input: it.values }] : []
  })
  const placeOf = (words: string) => {
    const own = drafts.findIndex(it => it.words.includes(words))
    return own < 0 ? drafts.length - 1 : own
  }
  // What a change names again, such as “change Lima to Quito”, was heard.
  const later = drafts.flatMap(it => it.said.slice(1))
  const changes = later.map(it => ` ${toPlain(it)} `)
  const olds = later.flatMap(it => [splitChange(it).old, ...withoutLead(it).denied].map(toPlain)).filter(it => it !== '')
  const isHeard = (it: string) =>
    changes.some(change => change.includes(` ${toPlain(it)} `)) || olds.some(old => ` ${toPlain(it)} `.includes(` ${old} `))
  const bought = drafts.flatMap(it => (it.purchase ? [it.words] : []))
  const lost = unsaidOf(message, hires, [...leftOut.flat(), ...unplanned, ...skipped, ...bought]).filter(it => !isHeard(it))
  return leftOut.map((own, at) => [...own, ...lost.filter(it => placeOf(it) === at)])
}
