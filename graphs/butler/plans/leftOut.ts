import type { Draft } from '../state.ts'
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
      const isNew = !named.has(words) && !sent.includes(` ${words} `)
      named.add(words)
      return isNew
    }),
  )
}
