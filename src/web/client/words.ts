import type { English } from '../words/english.ts'

let chosen: ReadonlyMap<string, string> = new Map()
let language = 'en'

/** The language of what `t` returns, for the attribute `lang`: what strangers wrote may be in any. */
export const ownLanguage = (): string => language

/** A text of the page in the language of its reader; English where there is no table. */
export const t = (text: English): string => chosen.get(text) ?? text

/** The same for a text that the page holds as data. */
export const toOwn = (text: string): string => chosen.get(text) ?? text

/** Sets the language of the page, with its table. */
export const speak = (of: string, words: ReadonlyMap<string, string>): void => {
  language = of
  chosen = words
}
