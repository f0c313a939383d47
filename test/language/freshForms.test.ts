import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { fillRequest } from '../../src/language/filling/fillRequest.ts'

const now = Date.UTC(2026, 10, 27, 9)
const read = (text: string, properties: JsonObject, known?: JsonObject) =>
  fillRequest({
    ...{ text, now, listing: 'Work\nDoes the work.' },
    requirement: { type: 'object', required: Object.keys(properties), properties },
    ...(known && { known }),
  }).values

test('a value of several words is found by the pattern of its field', () => {
  const tyre = { tyre_size: { type: 'string', pattern: '^[0-9]{3}/[0-9]{2} ?R[0-9]{2}$' } }
  expect(read('I have 205/55 R16 on my car', tyre)).toEqual({ tyre_size: '205/55 R16' })
})

test('a number of something is a code, whatever it is the number of', () =>
  expect(read('where is 1Z999AA10123456784?', { tracking_number: { type: 'string' } })).toEqual({
    tracking_number: '1Z999AA10123456784',
  }))

test('a table fills a list by its headings', () => {
  const item = { type: 'object', properties: { length_cm: { type: 'number' }, weight_kg: { type: 'number' } } }
  const text = 'A quote please.\n| no | L cm | kg |\n|---|---|---|\n| 1 | 120 | 310 |\n| 2 | 90 | 18,5 |'
  expect(read(text, { pallets: { type: 'array', items: { ...item, required: ['length_cm', 'weight_kg'] } } })).toEqual({
    pallets: [
      { length_cm: 120, weight_kg: 310 },
      { length_cm: 90, weight_kg: 18.5 },
    ],
  })
})

test('a stay begins with the arrival', () => {
  const day = { type: 'string', format: 'date' }
  expect(read('from 2027-01-05 till 2027-01-09', { arrive: day, leave: day })).toEqual({
    arrive: '2027-01-05',
    leave: '2027-01-09',
  })
})

test('a full name fills the fields for its parts', () =>
  expect(read('search for Wilhelmina Oakes', { surname: { type: 'string' }, given_names: { type: 'string' } })).toEqual({
    surname: 'Oakes',
    given_names: 'Wilhelmina',
  }))

test('what a thing must be free from is what is denied, and nothing else', () => {
  const free = { free_from: { type: 'array', items: { type: 'string', enum: ['nuts', 'gluten', 'dairy'] } } }
  expect(read('no gluten, no dairy', free)).toEqual({ free_from: ['gluten', 'dairy'] })
  expect(read('with nuts on top', free)).toEqual({})
})

test('a known list is changed by what is added and dropped', () => {
  const tests = { tests: { type: 'array', items: { type: 'string', enum: ['pH', 'lead', 'organic matter'] } } }
  expect(read('add organic matter, drop lead', tests, { tests: ['pH', 'lead'] })).toEqual({ tests: ['pH', 'organic matter'] })
})

test('a shortened choice, a day of the week and places in a story are read', () => {
  const network = { network: { type: 'string', enum: ['instagram', 'facebook'] } }
  expect(read('three lines for insta please', network)).toEqual({ network: 'instagram' })
  const shut = { shut_on: { type: 'array', items: { type: 'string', enum: ['mon', 'sat', 'sun'] } } }
  expect(read('we are closed on Sundays and Mondays', shut)).toEqual({ shut_on: ['sun', 'mon'] })
  const cities = { cities: { type: 'array', items: { type: 'string' } } }
  expect(read('My aunt lives in Oslo these days, my brother is still in Lima and his son went to Boston.', cities)).toEqual({
    cities: ['Oslo', 'Lima', 'Boston'],
  })
})

test('the number of an account is read with its blanks', () =>
  expect(read('is GB82 WEST 1234 5698 7654 32 right?', { iban: { type: 'string', description: 'The IBAN' } })).toEqual({
    iban: 'GB82 WEST 1234 5698 7654 32',
  }))

test('a number in groups is one number, and an ordinary word is no place', () => {
  expect(read('where is parcel 0159 2280 4471, please', { tracking_number: { type: 'string' } })).toEqual({
    tracking_number: '0159 2280 4471',
  })
  expect(read('4 times bigger', { city: { type: 'string', description: 'A city' } })).toEqual({})
})
