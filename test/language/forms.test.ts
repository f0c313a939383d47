import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assign } from '../../src/language/forms/assign.ts'
import { recognisers } from '../../src/language/forms/recognisers.ts'

describe.each(recognisers.map(it => [it.form, it] as const))(
  'values of the form %s',
  (_, { find, examples, counterExamples }) => {
    test.each(Object.entries(examples))('are found as they were said: %s', (text, values) => {
      expect(find(text).map(it => text.slice(it.from, it.to))).toEqual(values)
      expect(find(text).map(it => it.values[0])).toEqual(values)
    })

    test.each(counterExamples)('are not found in: %s', text => {
      expect(find(text)).toEqual([])
    })
  },
)

/** The best total, by trying every way. */
const bestOf = (scores: readonly (readonly number[])[], from = 0, taken: readonly number[] = []): number => {
  const row = scores[from]
  if (!row) return 0
  const without = bestOf(scores, from + 1, taken)
  const all = row.flatMap((score, at) =>
    taken.includes(at) || score === 0 ? [] : [score + bestOf(scores, from + 1, [...taken, at])],
  )
  return Math.max(without, ...all)
}

test('no other way to give values to fields has a better total', () => {
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain(width => fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: width, maxLength: width }), { maxLength: 5 }))
  fc.assert(
    fc.property(table, scores => {
      const rows = scores.map((_, at) => at)
      const columns = (scores[0] ?? []).map((_, at) => at)
      const scoreOf = (row: number, column: number) => scores[row]?.[column] || undefined
      const pairs = assign(rows, columns, scoreOf)
      expect(new Set(pairs.map(([row]) => row)).size).toBe(pairs.length)
      expect(new Set(pairs.map(([, column]) => column)).size).toBe(pairs.length)
      expect(pairs.reduce((sum, [row, column]) => sum + (scoreOf(row, column) ?? 0), 0)).toBe(bestOf(scores))
    }),
  )
})

test('of equal ways the one in order is taken', () => {
  expect(assign(['a', 'b'], [1, 2], () => 1)).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  expect(assign(['a', 'b', 'c'], [1], () => 1)).toEqual([['a', 1]])
})
