import type { English } from '../words/english.ts'
import type { Rest } from '../words/rest/english.ts'

const chosen = new Map<string, string>()
let language = 'en'

/** The language of what `t` returns, for the attribute `lang`: what strangers wrote may be in any. */
export const ownLanguage = (): string => language

/** The language of dates and counts: English is that of the United States. */
export const ownLocale = (): string => (language === 'en' ? 'en-US' : language)

const filled = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** A text of the page in the language of its reader; English where there is no table. @param values of its places, by name */
export const t = (text: Words, values: Record<string, string> = {}): string => filled(toOwn(text), values)

/** What the page can say. */
export type Words = English | Rest

/** Texts with forms for counts, separated by bars. */
type Counted = Extract<Words, `${string}|${string}`>

/** A text with a count at `{n}`, in the form that its language has for it: one, few where there is such a form, or others. */
export const tn = (count: number, text: Counted, values: Record<string, string> = {}): string => {
  const forms = toOwn(text).split('|')
  const last = forms.length - 1
  const at = ['one', 'few'].indexOf(new Intl.PluralRules(ownLocale()).select(count))
  const form = forms[at < 0 ? last : Math.min(at, last)] ?? text
  return filled(form, { ...values, n: count.toLocaleString(ownLocale()) })
}

/** The same for a text that the page holds as data. */
export const toOwn = (text: string): string => chosen.get(text) ?? text

export const speak = (of: string, words: Iterable<[string, string]>): void => {
  language = of
  for (const [english, own] of words) chosen.set(english, own)
}
