import { speak } from './words.ts'

/** The languages of the butler. Each table is loaded only where it is chosen. */
const tables = {
  de: () => import('../words/de.ts'),
  es: () => import('../words/es.ts'),
  fr: () => import('../words/fr.ts'),
  it: () => import('../words/it.ts'),
  ja: () => import('../words/ja.ts'),
  pt: () => import('../words/pt.ts'),
  ru: () => import('../words/ru.ts'),
  tr: () => import('../words/tr.ts'),
  zh: () => import('../words/zh.ts'),
}
type Language = keyof typeof tables
const isKnown = (code: string): code is Language => Object.hasOwn(tables, code)

export const languages: readonly string[] = ['en', ...Object.keys(tables)]
const key = 'language'

/** Loads the table of the language that the person set, or of the browser. Nothing is loaded for English. */
export const loadWords = async (storage: Storage, asked: readonly string[]): Promise<void> => {
  const codes = [storage.getItem(key) ?? '', ...asked].map(it => it.split('-')[0] ?? '')
  const first = codes.find(it => languages.includes(it))
  if (first === undefined || !isKnown(first)) return
  const [{ words }, { english }] = await Promise.all([tables[first](), import('../words/english.ts')])
  speak(first, new Map(english.map((text, at) => [text, words[at] ?? text])))
}

/** Sets the language of the page, from its next load on. */
export const setLanguage = (storage: Storage, code: string): void => storage.setItem(key, code)
