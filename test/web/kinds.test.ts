import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from '../../src/domain/text/csv.ts'
import { hostOf } from '../../src/web/result/hosts.ts'
import { errorOf, kindOf } from '../../src/web/result/kinds.ts'
import { toHeadline, toValue } from '../../src/web/result/values.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'

test.each([
  ['{"city":"Tokyo","hours":9}', 'rows'],
  ['[{"a":"x","b":1,"c":2},{"a":"y","b":2,"c":3}]', 'table'],
  ['[{"week":"1","orders":28},{"week":"2","orders":34},{"week":"3","orders":31}]', 'chart'],
  ['[3,1,4,1,5]', 'chart'],
  ['["a","b"]', 'list'],
  [svg, 'picture'],
  [`{"code":${JSON.stringify(svg)}}`, 'picture'],
  ['data:image/png;base64,iVBORw0KGgo=', 'picture'],
  ['data:application/pdf;base64,JVBERi0xLjQ=', 'bytes'],
  ['data:text/html,<script>', 'plain'],
  ['# The lease\n\nA lease.', 'markdown'],
  ['- one\n- two\n', 'markdown'],
  ['```js\nconst a = 1\n```', 'code'],
  ['--- before\n+++ after\n@@ -1 +1 @@\n-a\n+b', 'code'],
  ['https://example.com/a?b=c', 'link'],
  ['BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Dinner\r\nEND:VEVENT\r\nEND:VCALENDAR', 'calendar'],
  ['<!doctype html><p>hi', 'file'],
  ['One sentence.', 'plain'],
  ['Line\nLine', 'text'],
  ['javascript:alert(1)', 'plain'],
  ['{not json', 'plain'],
])('%s is shown as %s', (text, kind) => {
  expect(kindOf(text).kind).toBe(kind)
})

test('any deliverable has a kind, and its detection never throws', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'grapheme' })), text => Boolean(kindOf(text).kind)))
})

test('values are shown in words, by the local time of where they were written', () => {
  expect(toValue('2026-11-22T09:14:51+09:00')).toBe('Sunday, 22 November 2026, 9:14:51')
  expect(toValue('+05:45', 'utc_offset')).toBe('5 hours 45 minutes ahead')
  expect(toHeadline('2026-11-22T09:14:51+09:00', 'local_time')).toEqual({ large: '9:14', beside: 'in the morning' })
  expect([toValue(true), toValue(null), toValue(1234.5), toValue(2026, 'year')]).toEqual(['Yes', '–', '1,234.5', '2026'])
})

test('entries of a calendar have their times as they were written', () => {
  const entry = (at: string) => `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Dinner\n${at}\nEND:VEVENT\nEND:VCALENDAR`
  const timesOf = (at: string) => kindOf(entry(at))
  expect(timesOf('DTSTART;TZID=Europe/Zurich:20261127T072500')).toMatchObject({ entries: [{ at: '2026-11-27T07:25' }] })
  expect(timesOf('DTSTART;VALUE=DATE:20261127')).toMatchObject({ entries: [{ at: '2026-11-27' }] })
  expect(timesOf('DTSTART:soon')).toMatchObject({ entries: [{ at: 'soon' }] })
})

test('only web addresses become links, and the agent’s own message for a failure is found', () => {
  expect([hostOf('https://a.example/x'), hostOf('javascript:alert(1)'), hostOf('data:text/html,x'), hostOf('x')]).toEqual([
    'a.example',
    undefined,
    undefined,
    undefined,
  ])
  expect([errorOf('{"error":"unknown city: Atlantis"}'), errorOf('{"error":{}}'), errorOf('x')]).toEqual([
    'unknown city: Atlantis',
    undefined,
    undefined,
  ])
})

test('a downloaded table contains no active formula', () => {
  expect(
    toCsv({
      columns: ['a', 'b'],
      rows: [
        { a: '=1+1', b: -2 },
        { a: 'x,"y"', b: null },
      ],
    }),
  ).toBe('a,b\r\n\'=1+1,-2\r\n"x,""y""",\r\n')
})

test('a media type decides between kinds of text, and never makes a text active', () => {
  expect(kindOf('a,b\n1,2', 'text/csv; charset=utf-8')).toEqual({ kind: 'file', type: 'csv', source: 'a,b\n1,2' })
  expect(kindOf('one *word*', 'text/markdown')).toEqual({ kind: 'markdown', text: 'one *word*' })
  expect(kindOf('<!doctype html><p>hi', 'text/html')).toMatchObject({ kind: 'file', type: 'html' })
})
