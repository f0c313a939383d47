import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readField, readInput } from '../../src/kit/kit.ts'

test('JSON object text is read as its members', () => {
  const input = readInput('{"city":"Oslo","days":3}')
  expect(input).toEqual({ text: '{"city":"Oslo","days":3}', fields: { city: 'Oslo', days: 3 } })
  expect(readField(input, 'city')).toBe('Oslo')
  expect(readField(input, 'days')).toBeUndefined()
  expect(readField(input, 'town')).toBeUndefined()
})

test('plain text and JSON that is no object have no members', () => {
  for (const text of ['Oslo', '', '"Oslo"', '[1]', '12', " where topic is 'x'"])
    expect(readInput(text)).toEqual({ text, fields: {} })
  expect(readField(readInput('Oslo'), 'city')).toBe('Oslo')
})

test('the offering and the topic are read from a hire sentence', () => {
  const text = "Local time in a city where topic is 'St. John's'"
  const input = readInput(text)
  expect(input).toEqual({ text, fields: { topic: "St. John's" }, offering: 'Local time in a city', topic: "St. John's" })
  expect(readField(input, 'city')).toBe("St. John's")
})

test('any text is parsed without an error and returned byte for byte', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.constantFrom('\u2028', '日本', '\ud800'),
    fc.json(),
    fc.string().map(topic => `X where topic is '${topic}'`),
  )
  fc.assert(fc.property(anyText, text => readInput(text).text === text))
})

test('any topic is found in its sentence', () => {
  fc.assert(fc.property(fc.string(), topic => readInput(`X where topic is '${topic}'`).topic === topic))
})
