import { expect, test } from 'vitest'
import { perValue } from '../../../src/language/tasks/perValue.ts'
import { readSteps } from '../../../src/language/tasks/steps.ts'

const schema = (properties: Record<string, { type: string; format?: string }>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const text = { type: 'string' }
const city = { key: 'clock', requirement: schema({ city: text }), listing: 'Local time\nTells the time in a city' }
const now = Date.UTC(2026, 0, 5)
const inputsOf = (words: string, { requirement, listing }: typeof city) =>
  perValue({ words, requirement, listing, now }).map(it => it.input)

test('one task is several calls where a field takes one value at a time', () => {
  expect(inputsOf('time in Tokyo and in London', city)).toEqual([{ city: 'Tokyo' }, { city: 'London' }])
  expect(inputsOf('local time in Paris, Rome and Oslo', city)).toEqual([{ city: 'Paris' }, { city: 'Rome' }, { city: 'Oslo' }])
  expect(inputsOf('time in Paris, France', city)).toHaveLength(1)
})

test('a topic, a list and two fields of one kind take all values in one call', () => {
  const poem = { key: 'poem', requirement: schema({ topic: text }), listing: 'Poem\nWrites a poem' }
  const cities = { type: 'object', required: ['cities'], properties: { cities: { type: 'array', items: text } } }
  const tour = { key: 'tour', requirement: cities, listing: 'Tour\nPlans a tour through cities' }
  const numbers = schema({ num1: { type: 'integer' }, num2: { type: 'integer' } })
  const divisor = { key: 'gcd', requirement: numbers, listing: 'Divisor\nFinds the greatest common divisor' }
  expect(inputsOf('Write a poem about salt and pepper', poem)).toHaveLength(1)
  expect(perValue({ words: 'a tour through Paris, Rome and Oslo', ...tour, now })).toHaveLength(1)
  expect(perValue({ words: 'greatest common divisor of 36 and 60', ...divisor, now })).toHaveLength(1)
})

test('a task takes what it names of an earlier one, and words that only add to a task are part of its call', () => {
  const stay = schema({ city: text, check_in: { type: 'string', format: 'date' } })
  const hotel = { key: 'stay', requirement: stay, listing: 'Hotel\nFinds a hotel' }
  const steps = readSteps(
    [
      { words: 'a hotel in Split from 10 June 2026', offering: hotel },
      { words: 'the time there', offering: city },
    ],
    now,
  )
  expect(steps.map(it => it.input)).toEqual([{ city: 'Split', check_in: '2026-06-10' }, { city: 'Split' }])
})
