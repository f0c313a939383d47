import { expect, test } from 'vitest'
import { languages } from '../../src/web/client/languages.ts'
import { english } from '../../src/web/words/english.ts'
import { selling } from '../../src/web/words/selling/english.ts'

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()

const check = (words: string[], texts: readonly string[]) => {
  expect(words.filter(it => it.trim() !== '')).toHaveLength(texts.length)
  expect(new Set(words).size).toBe(texts.length)
  expect(words.map(places)).toEqual(texts.map(places))
}

test.each(languages.filter(it => it !== 'en'))('%s has a translation of each word of the page, with its places', async code => {
  const page: { words: string[] } = await import(`../../src/web/words/${code}.ts`)
  check(page.words, english)
  const ofSellers: { words: string[] } = await import(`../../src/web/words/selling/${code}.ts`)
  check(ofSellers.words, selling)
})
