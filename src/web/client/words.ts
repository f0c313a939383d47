import type { English } from '../words/english.ts'
import type { Selling } from '../words/selling/english.ts'

const chosen = new Map<string, string>()
let language = 'en'

/** The language of what `t` returns, for the attribute `lang`: what strangers wrote may be in any. */
export const ownLanguage = (): string => language

/** A text of the page in the language of its reader; English where there is no table. @param values of its places, by name */
export const t = (text: English | Selling, values: Record<string, string> = {}): string =>
  (chosen.get(text) ?? text).replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** The same for a text that the page holds as data. */
export const toOwn = (text: string): string => chosen.get(text) ?? text

/** Sets the language of the page, and adds words of it. */
export const speak = (of: string, words: Iterable<[string, string]>): void => {
  language = of
  for (const [english, own] of words) chosen.set(english, own)
}
