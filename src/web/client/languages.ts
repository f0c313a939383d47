import { ownLanguage, speak } from './words.ts'

/** The languages of the butler. The tables of each are loaded only where it is chosen: the first at once, the rest with a view. */
const tables = {
  de: [() => import('../words/de.ts'), () => import('../words/rest/de.ts')],
  es: [() => import('../words/es.ts'), () => import('../words/rest/es.ts')],
  fr: [() => import('../words/fr.ts'), () => import('../words/rest/fr.ts')],
  it: [() => import('../words/it.ts'), () => import('../words/rest/it.ts')],
  ja: [() => import('../words/ja.ts'), () => import('../words/rest/ja.ts')],
  pt: [() => import('../words/pt.ts'), () => import('../words/rest/pt.ts')],
  ru: [() => import('../words/ru.ts'), () => import('../words/rest/ru.ts')],
  tr: [() => import('../words/tr.ts'), () => import('../words/rest/tr.ts')],
  zh: [() => import('../words/zh.ts'), () => import('../words/rest/zh.ts')],
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

const loadRest = async (): Promise<void> => {
  const own = ownLanguage()
  if (!isKnown(own)) return
  const [{ words }, { rest }] = await Promise.all([tables[own][1](), import('../words/rest/english.ts')])
  speak(
    own,
    rest.map((text, at) => [text, words[at] ?? text]),
  )
}

/** Reads the scripts of a view together with its words in the language of the page. A page in English is better than none. */
export const withWords =
  <T>(read: () => Promise<T>) =>
  async (): Promise<T> => {
    const [scripts] = await Promise.all([read(), loadRest().catch(() => undefined)])
    return scripts
  }

/** Sets the language of the page, from its next load on. */
export const setLanguage = (storage: Storage, code: string): void => storage.setItem(key, code)
