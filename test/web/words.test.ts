import { expect, test } from 'vitest'
import { languages } from '../../src/web/client/languages.ts'
import { english } from '../../src/web/words/english.ts'
import { selling } from '../../src/web/words/selling/english.ts'

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()

test.each(
  languages.filter(it => it !== 'en').flatMap(code => [[code, '', english] as const, [code, 'selling/', selling] as const]),
)('%s has a translation of each word of the page%s, with its places', async (code, folder, texts) => {
  const { words }: { words: string[] } = await import(`../../src/web/words/${folder}${code}.ts`)
  expect(words.filter(it => it.trim() !== '')).toHaveLength(texts.length)
  expect(new Set(words).size).toBe(texts.length)
  expect(words.map(places)).toEqual(texts.map(places))
})
