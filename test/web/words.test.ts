import { expect, test } from 'vitest'
import { languages } from '../../src/web/client/languages.ts'
import { english } from '../../src/web/words/english.ts'

test.each(languages.filter(it => it !== 'en'))('%s has a translation of each word of the page', async code => {
  const { words }: { words: string[] } = await import(`../../src/web/words/${code}.ts`)
  expect(words.filter(it => it.trim() !== '')).toHaveLength(english.length)
  expect(new Set(words).size).toBe(english.length)
})
