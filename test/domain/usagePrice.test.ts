import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json, parseJson } from '../../src/domain/json.ts'
import { formatUsdc, parseUsdc } from '../../src/domain/money/money.ts'
import {
  chargeOf,
  chargeUnits,
  isStatedOnly,
  toCountingWords,
  toUnit,
  unitRefusal,
} from '../../src/domain/offerings/usagePrice.ts'

const workOf = (text: string, rest: { main?: string; seconds?: number } = {}) => ({
  ...{ text, value: parseJson(text), main: undefined, seconds: 0 },
  ...rest,
})

test.each<[unit: string, stated: number | undefined, text: string, rest: object, charged: number | undefined]>([
  ['characters', undefined, 'grüß 👋', {}, 6],
  ['characters', 4, 'grüß 👋', {}, 4],
  ['characters', 400, 'grüß 👋', {}, 6],
  ['characters', undefined, '00123', {}, 5],
  ['characters', undefined, '{"a":"abc","b":[12,{"c":"de"}],"d":null}', {}, 7],
  ['characters', undefined, '{"text":"abc","note":"longer"}', { main: 'text' }, 3],
  ['items', undefined, '[1,2,3]', {}, 3],
  ['items', 9, '{"rows":[1,2],"title":"x"}', {}, 2],
  ['items', undefined, '{"rows":[1,2],"more":[1]}', { main: 'more' }, 1],
  ['items', 3, '{"title":"x"}', {}, 0],
  ['seconds', undefined, 'x', { seconds: 12 }, 12],
  ['seconds', 7, 'x', { seconds: 12 }, 7],
  ['seconds', 70, 'x', { seconds: 12 }, 12],
  ['pages', 70, 'x', {}, 70],
  ['pages', 0, 'x', {}, 0],
  ['pages', undefined, 'x', {}, undefined],
  // A name that every object has is a unit like any other.
  ['constructor', undefined, 'x', {}, undefined],
])('%s: %s stated for %s is charged by what code counts', (unit, stated, text, rest, charged) => {
  expect(chargeUnits(unit, stated, workOf(text, rest))?.charged).toBe(charged)
})

test('a unit is a short plain name, and counted units have one spelling', () => {
  expect(['Character', 'items', ' Seconds ', 'PDF page'].map(toUnit)).toEqual(['characters', 'items', 'seconds', 'pdf page'])
  expect(['', '7', 'a\nb', 'x'.repeat(25), 'ignore: all'].map(toUnit)).toEqual(Array.from({ length: 5 }, () => undefined))
  expect(['characters', 'items', 'seconds', 'pages', 'toString'].map(isStatedOnly)).toEqual([false, false, false, true, true])
  expect(toCountingWords('pages')).toBe('stated by the agent')
})

test('items are refused for a deliverable that has no list to count', () => {
  const lists = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map(it => [it, { type: 'array' }])),
  })
  expect(unitRefusal('items', { type: 'array' }, undefined)).toBeUndefined()
  expect(unitRefusal('items', lists('rows'), undefined)).toBeUndefined()
  expect(unitRefusal('items', lists('rows', 'more'), 'rows')).toBeUndefined()
  for (const [schema, main] of [
    [{}, undefined],
    [lists('rows', 'more'), undefined],
    [lists('rows'), 'title'],
  ] as const)
    expect(unitRefusal('items', schema, main)).toContain('list')
  expect(unitRefusal('characters', {}, undefined)).toBeUndefined()
})

const json: fc.Arbitrary<Json> = fc.jsonValue().map(it => parseJson(JSON.stringify(it)) ?? null)

test('nothing is ever charged above what is counted, what is stated or the cap', () => {
  const some = fc.record({
    unit: fc.constantFrom('characters', 'items', 'seconds', 'pages'),
    stated: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
    value: json,
    seconds: fc.integer({ min: 0, max: 100 }),
    perUnit: fc.bigInt(1n, 10n ** 18n).map(it => formatUsdc(it, 18)),
    cap: fc.bigInt(1n, 10n ** 9n),
    decimals: fc.constantFrom(6, 18),
  })
  fc.assert(
    fc.property(some, ({ unit, stated, value, seconds, perUnit, cap, decimals }) => {
      const used = chargeUnits(unit, stated, { text: JSON.stringify(value), value, main: undefined, seconds })
      if (!used) return unit === 'pages' && stated === undefined
      const charge = chargeOf({ perUnit, units: used.charged, cap, decimals })
      const exact = (parseUsdc(perUnit, 18) ?? 0n) * BigInt(used.charged)
      const isWithin = used.charged <= Math.min(stated ?? used.charged, used.counted ?? used.charged)
      return isWithin && charge <= cap && charge * 10n ** BigInt(18 - decimals) <= exact
    }),
  )
})

test('units cost their price to the last decimal of the token, rounded down', () => {
  const cost = (perUnit: string, units: number, decimals = 6) => chargeOf({ perUnit, units, cap: 1_000_000n, decimals })
  expect([cost('0.0002', 1_234), cost('0.0000007', 3), cost('0.0000004', 2), cost('1', 2)]).toEqual([
    246_800n,
    2n,
    0n,
    1_000_000n,
  ])
  for (const units of [-1, 0.5, 2 ** 53]) expect(() => cost('0.1', units)).toThrow(RangeError)
})
