import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatExample, hasFormat } from '../../src/domain/schemas/formats.ts'
import { checkInput } from '../../src/domain/schemas/inputCheck.ts'
import { matchesPattern } from '../../src/domain/schemas/patterns.ts'

test.each<[string, string[], string[]]>([
  ['date', ['2026-02-28', '2028-02-29'], ['2026-02-29', '2026-13-01', 'next Friday', '1/2/2026', '2026-1-2']],
  [
    'date-time',
    ['2026-11-24T19:00:00Z', '2026-11-24T19:00', '2026-11-24 19:00:05+01:00'],
    ['tomorrow at 7pm', '2026-11-24', 'T19:00'],
  ],
  ['time', ['19:30', '07:05:00Z'], ['7pm', '25:00', 'noon']],
  ['email', ['a.b+c@example.org'], ['a@b', 'me', '@example.org', 'a b@example.org']],
  ['uri', ['https://example.org/a?b=1', 'mailto:a@example.org'], ['example.org', 'my site', 'https://']],
  ['ipv4', ['192.168.1.10'], ['192.168.1', '256.1.1.1', 'localhost']],
  ['ipv6', ['2001:db8::1', '::1'], ['2001:db8:::1', '1.2.3.4', 'home']],
  ['hostname', ['example.org', 'a-b.example'], ['-a.example', 'two words', 'a..b']],
  ['uuid', ['6f9619ff-8b86-4d11-b42d-00cf4fc964ff'], ['6f9619ff', 'any id']],
])('only a text of the format is a %s', (format, right, wrong) => {
  expect([...right, formatExample(format) ?? ''].filter(it => !hasFormat(format, it))).toEqual([])
  expect(wrong.filter(it => hasFormat(format, it))).toEqual([])
})

test('a pattern matches as in the language, and one that cannot be decided refuses nothing', () => {
  const pattern = fc.stringMatching(/^[ab(|)*+?.^$]{0,9}$/)
  fc.assert(
    fc.property(pattern, fc.stringMatching(/^[abc]{0,8}$/), (source, text) => {
      const found = matchesPattern(source, text, { left: 1_000_000 })
      const wanted = isPattern(source) ? new RegExp(source, 'u').test(text) : undefined
      expect(found === undefined || wanted === undefined || found === wanted).toBe(true)
    }),
    { numRuns: 2_000 },
  )
  expect(matchesPattern('(a)\\1', 'ab', { left: 1_000 })).toBeUndefined()
})

const isPattern = (source: string): boolean => {
  try {
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}

test('an input is checked in its members, its items and its branches', () => {
  const day = { type: 'string', format: 'date' }
  const requirement = {
    type: 'object',
    properties: {
      stay: { type: 'object', properties: { from: day } },
      days: { type: 'array', items: day },
      at: { anyOf: [day, { type: 'string', pattern: '^Q[1-4]$' }] },
    },
  }
  const isRight = (value: object) => checkInput(requirement, JSON.parse(JSON.stringify(value))).pass
  expect(isRight({ stay: { from: '2026-03-01' }, days: ['2026-03-02'], at: 'Q3' })).toBe(true)
  expect([{ stay: { from: 'soon' } }, { days: ['2026-03-02', 'soon'] }, { at: 'Q9' }].map(isRight)).toEqual([false, false, false])
})
