import { ownLanguage, speak } from './words.ts'

/** The languages of the butler. Each table is loaded only where it is chosen, that of providers and tokens with their pages. */
const tables = {
  de: [() => import('../words/de.ts'), () => import('../words/selling/de.ts')],
  es: [() => import('../words/es.ts'), () => import('../words/selling/es.ts')],
  fr: [() => import('../words/fr.ts'), () => import('../words/selling/fr.ts')],
  it: [() => import('../words/it.ts'), () => import('../words/selling/it.ts')],
  ja: [() => import('../words/ja.ts'), () => import('../words/selling/ja.ts')],
  pt: [() => import('../words/pt.ts'), () => import('../words/selling/pt.ts')],
  ru: [() => import('../words/ru.ts'), () => import('../words/selling/ru.ts')],
  tr: [() => import('../words/tr.ts'), () => import('../words/selling/tr.ts')],
  zh: [() => import('../words/zh.ts'), () => import('../words/selling/zh.ts')],
} as const
type Language = keyof typeof tables
const isKnown = (code: string): code is Language => Object.hasOwn(tables, code)

export const languages: readonly string[] = ['en', ...Object.keys(tables)]
const key = 'language'

/** Loads the table of the language that the person set, or of the browser. Nothing is loaded for English. */
export const loadWords = async (storage: Storage, asked: readonly string[]): Promise<void> => {
  const codes = [storage.getItem(key) ?? '', ...asked].map(it => it.split('-')[0] ?? '')
  const first = codes.find(it => languages.includes(it))
  if (first === undefined || !isKnown(first)) return
  const [{ words }, { english }] = await Promise.all([tables[first][0](), import('../words/english.ts')])
  speak(
    first,
    english.map((text, at) => [text, words[at] ?? text]),
  )
}

const loadSellingWords = async (): Promise<void> => {
  const own = ownLanguage()
  if (!isKnown(own)) return
  const [{ words }, { selling }] = await Promise.all([tables[own][1](), import('../words/selling/english.ts')])
  speak(
    own,
    selling.map((text, at) => [text, words[at] ?? text]),
  )
}

/**
 * Reads scripts together with what the pages of providers and tokens say, in the language of the page. A page in English is
 * better than none.
 */
export const withSelling =
  <T>(read: () => Promise<T>) =>
  async (): Promise<T> => {
    const [scripts] = await Promise.all([read(), loadSellingWords().catch(() => undefined)])
    return scripts
  }

/** Sets the language of the page, from its next load on. */
export const setLanguage = (storage: Storage, code: string): void => storage.setItem(key, code)
