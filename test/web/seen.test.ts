import { expect, test } from 'vitest'
import { fromWall, isMoment, toWall } from '../../src/web/fields/wallTime.ts'
import { kindOf } from '../../src/web/result/kinds.ts'
import { toSeen } from '../../src/web/result/seen.ts'

test('what is copied of a deliverable is what its reader sees', () => {
  const seen = (value: unknown) => toSeen(kindOf(typeof value === 'string' ? value : JSON.stringify(value)))
  expect(seen({ city: 'Rome', local_time: '2026-11-24T19:00', ok: true })).toBe(
    'City: Rome\nLocal time: Tuesday, 24 November 2026, 19:00\nOk: Yes',
  )
  expect(
    seen([
      { from: 'Bern', to: 'Milan\tCentrale', price_chf: 48 },
      { from: 'Basel', to: 'Chur', price_chf: 31.5 },
    ]),
  ).toBe('From\tTo\tPrice CHF\nBern\tMilan Centrale\t48\nBasel\tChur\t31.5')
  expect(seen(['a', 'b'])).toBe('a\nb')
  expect(seen({ summary: '# Notes\n\n- one\n- two', words: 2 })).toBe('Summary:\n# Notes\n\n- one\n- two\n\nWords: 2')
  expect(seen('https://example.com/menu')).toBe('https://example.com/menu')
  expect(seen({ picture: '<svg xmlns="http://www.w3.org/2000/svg"></svg>' })).toBeUndefined()
})

test('a date and time is shown by the clock that it names, and keeps its zone when it is changed', () => {
  expect(['2026-11-24T19:00:00Z', '2026-11-24T19:00+02:00', '2026-11-24T19:00', 'tomorrow', ''].map(toWall)).toEqual([
    ...Array<string>(3).fill('2026-11-24T19:00'),
    ...['', ''],
  ])
  expect(['2026-11-24T19:00:00.5-03:30', '', 'at 7pm', '2026-11-24'].map(isMoment)).toEqual([true, true, false, false])
  expect(fromWall('2026-12-01T08:30', '2026-11-24T19:00+02:00')).toBe('2026-12-01T08:30:00+02:00')
  expect([fromWall('2026-12-01T08:30', ''), fromWall('', '2026-11-24T19:00Z')]).toEqual(['2026-12-01T08:30:00Z', ''])
})
