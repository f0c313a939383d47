import { expect, onTestFinished, test } from 'vitest'
import { problems } from '../../src/domain/problem.ts'
import { toDay, toMinutes } from '../../src/web/client/format.ts'
import { languages } from '../../src/web/client/languages.ts'
import { speak, tn } from '../../src/web/client/words.ts'
import { english } from '../../src/web/words/english.ts'
import { refusals, rest } from '../../src/web/words/rest/english.ts'

/** The places of a text. Of a counted text, the form for many has all of them; that for one may leave out the number. */
const places = (text: string) => [...(text.split('|').at(-1) ?? '').matchAll(/\{\w+\}/g)].map(String).toSorted()

/** How many forms a language has for the counts up to a hundred. */
const formsOf = (code: string) => {
  const rules = new Intl.PluralRules(code)
  return new Set(Array.from({ length: 100 }, (_, count) => rules.select(count))).size
}

const check = (code: string, words: string[], texts: readonly string[]) => {
  expect(words.filter(it => it.trim() !== '')).toHaveLength(texts.length)
  expect(words.map(places)).toEqual(texts.map(places))
  const wrong = words.filter((it, at) => {
    const forms = it.split('|').length
    return forms !== 1 && (forms !== formsOf(code) || !texts[at]?.includes('|'))
  })
  expect(wrong).toEqual([])
}

test.each(languages.filter(it => it !== 'en'))(
  '%s has a translation of each word of the page, with its places and forms',
  async code => {
    const first: { words: string[] } = await import(`../../src/web/words/${code}.ts`)
    check(code, first.words, english)
    const others: { words: string[] } = await import(`../../src/web/words/rest/${code}.ts`)
    check(code, others.words, rest)
  },
)

test('no text of the page is translated twice', () => {
  expect(new Set([...english, ...rest]).size).toBe(english.length + rest.length)
})

test('a refusal that the page translates is one that the service gives', () => {
  const titles = new Set<string>(Object.values(problems).map(([, title]) => title))
  expect(refusals.filter(it => !titles.has(it))).toEqual([])
})

test.each([
  ['en', [0, 1, 2, 5, 1200], ['0 jobs', '1 job', '2 jobs', '5 jobs', '1,200 jobs']],
  ['de', [0, 1, 2, 1200], ['0 Aufträge', '1 Auftrag', '2 Aufträge', '1.200 Aufträge']],
  ['ru', [0, 1, 2, 5, 21], ['0 работ', '1 работа', '2 работы', '5 работ', '21 работа']],
  ['ja', [1, 2], ['仕事 1 件', '仕事 2 件']],
  ['tr', [1, 2], ['1 iş', '2 iş']],
] as const)('a count has the form that its language has for it: %s', async (code, counts, shown) => {
  const { words }: { words: string[] } =
    code === 'en' ? { words: [...rest] } : await import(`../../src/web/words/rest/${code}.ts`)
  speak(
    code,
    rest.map((text, at) => [text, words[at] ?? '']),
  )
  onTestFinished(() =>
    speak(
      'en',
      rest.map(text => [text, text]),
    ),
  )
  expect(counts.map(it => tn(it, '{n} job|{n} jobs'))).toEqual(shown)
})

test.each([
  ['de', '2. März', '3 Minuten'],
  ['ja', '3月2日', '3 分'],
  ['tr', '2 Mar', '3 dakika'],
])('days and durations are those of the language: %s', (code, day, span) => {
  speak(code, [])
  onTestFinished(() => speak('en', []))
  expect([toDay('2031-03-02T12:00'), toMinutes(3)]).toEqual([day, span])
})
