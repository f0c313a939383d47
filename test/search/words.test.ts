import { describe, expect, test } from 'vitest'
import { toQuotable, toSpoken } from '../../src/domain/text/quotableText.ts'
import { stem } from '../../src/language/words/stem.ts'
import { splitWords, toCoverage, toMeaning, toTerms } from '../../src/language/words/words.ts'

describe('words', () => {
  test.each([
    ['getUserToken HTTPServer user_name', ['get', 'user', 'token', 'http', 'server', 'user', 'name']],
    ["What's a café in São Paulo?", ['what', 'a', 'cafe', 'in', 'sao', 'paulo']],
    ['2-day forecast', ['2', 'day', 'forecast']],
    ['東京の天気', ['東京', 'の', '天気']],
    ['한국어 번역', ['한국어', '번역']],
    ['', []],
  ])('%s', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })

  test('inflections of one word are one term', () => {
    for (const family of [
      'translate translates translating translation',
      'summarize summarizing summarizes',
      'city cities',
      'generate generator',
    ])
      expect(new Set(family.split(' ').map(stem)).size).toBe(1)
  })

  // Examples published with the Porter stemming algorithm.
  test.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['agreed', 'agre'],
    ['hopping', 'hop'],
    ['filing', 'file'],
    ['relational', 'relat'],
    ['vietnamization', 'vietnam'],
    ['electriciti', 'electr'],
    ['adjustable', 'adjust'],
    ['controll', 'control'],
    ['sky', 'sky'],
  ])('the stem of %s is %s', (word, root) => {
    expect(stem(word)).toBe(root)
  })

  test('function words and question words are ignored', () => {
    expect(toMeaning('Could you please help me to find the weather in Lisbon?')).toEqual(['weather', 'lisbon'])
    expect(toTerms('it is what it is')).toEqual([])
  })

  test('coverage is the share of the query terms that a text contains', () => {
    const terms = new Set(toTerms('World clock: tells the time in any city'))
    expect(toCoverage('what time is it in a city?', terms)).toBe(1)
    expect(toCoverage('time in Lisbon', terms)).toBe(0.5)
    expect(toCoverage('book me a flight to Mars', terms)).toBe(0)
    expect(toCoverage('please help me', terms)).toBe(0)
  })
})

describe('texts of strangers', () => {
  test('invisible characters are removed and the rest becomes one line', () => {
    expect(toQuotable('a\u202eb\u200bc\u0000\u2066d\ufeff\u{e0041}\n\n e\u3164', 300)).toBe('abcd e')
  })

  test('no text exceeds its maximum length', () => {
    expect(toQuotable('x'.repeat(400), 300)).toHaveLength(300)
    expect([...toQuotable('🙂'.repeat(400), 300)].length).toBeLessThanOrEqual(300)
    expect(toQuotable('short', 300)).toBe('short')
  })

  test("a user's own line breaks and joined letters stay", () => {
    expect(toSpoken('one\r\ntwo\t\u202e\u0007نمی\u200cخواهم', 100)).toBe('one\ntwo\tنمی\u200cخواهم')
  })
})
