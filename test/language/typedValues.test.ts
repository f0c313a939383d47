import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/domain/json.ts'
import { fillRequest } from '../../src/language/filling/fillRequest.ts'
import { findAddresses } from '../../src/language/values/addresses.ts'

/** Wednesday, 10 June 2026, 9:00 UTC. */
const now = Date.UTC(2026, 5, 10, 9)
const text = (description = '', more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more })
const read = (said: string, name: string, field: JsonObject, more: object = {}): Json | undefined =>
  fillRequest({ text: said, requirement: { type: 'object', required: [name], properties: { [name]: field } }, now, ...more })
    .values[name]

test.each([
  ['Send it to 12 Baker Street, London NW1 6XE please', '12 Baker Street, London NW1 6XE'],
  ['Flat 3, 12 High Street, Leeds LS1 4AB', 'Flat 3, 12 High Street, Leeds LS1 4AB'],
  ['flowers to Hauptstr. 5a, Köln tomorrow', 'Hauptstr. 5a, Köln'],
  ['at Hauptstraße 12, 10115 Berlin', 'Hauptstraße 12, 10115 Berlin'],
  ['rue de Rivoli 99, 75001 Paris', 'rue de Rivoli 99, 75001 Paris'],
  ['to 500 Main St Apt 4B, Springfield, IL 62701, by noon', '500 Main St Apt 4B, Springfield, IL 62701'],
  ['12 baker street london', '12 baker street london'],
])('an address goes as far as it was said: %s', (said, address) => {
  expect(findAddresses(said).map(it => said.slice(it.from, it.to))).toEqual([address])
  expect(read(said, 'address', text('Where to go'))).toBe(address)
})

test.each(['I need 12 red roses', 'convert 12 feet to metres', 'How many streets are in Rome?', 'drive 12 miles the long way'])(
  'no address is found in: %s',
  said => expect(findAddresses(said)).toEqual([]),
)

test('the town of an address fills a field for a town, without street and postcode', () => {
  expect(read('weather at 12 Baker Street, London NW1 6XE', 'city', text('City'))).toBe('London')
})

test('a phone number keeps its plus', () => {
  const said = 'text +44 20 7946 0958 that I am late'
  expect(read(said, 'phone', text('Phone number'))).toBe('+44 20 7946 0958')
  expect(read(said, 'phone', text('Phone number', { pattern: '^\\+\\d{6,15}$' }))).toBe('+442079460958')
})

test.each([
  ['March 3rd of 2021', '2021-03-03'],
  ['3 March in 2021', '2021-03-03'],
  ["Mar 3 '21", '2021-03-03'],
  ['Sunday, 3rd March (2021)', '2021-03-03'],
  ['2021 March 3', '2021-03-03'],
  ['May 3rd-5th 2022', '2022-05-03'],
  ['the 5th of May, in the year 2020', '2020-05-05'],
  ['in 2019 on 4 July', '2019-07-04'],
  ['on 4 July', '2026-07-04'],
])('a year that was said is never another one: %s', (said, date) => {
  expect(read(said, 'day', text('Day', { format: 'date' }))).toBe(date)
})

test.each<[string, JsonObject, string]>([
  ['look up 192.168.1.10', { format: 'ipv4' }, '192.168.1.10'],
  ['whois example.org', { format: 'hostname' }, 'example.org'],
  ['check shop.example for errors', { format: 'uri' }, 'https://shop.example'],
  ['decode VIN 1HGCM82633A004352 please', { pattern: '^[A-HJ-NPR-Z0-9]{17}$' }, '1HGCM82633A004352'],
])('a word that fits the form of its field is its value: %s', (said, form, value) => {
  expect(read(said, 'it', text('', form))).toBe(value)
})

test.each<[string, string, JsonObject]>([
  ['whenever it suits you', 'day', text('Day', { format: 'date' })],
  ['whenever it suits you', 'day', text('Day')],
  ['how much does it cost?', 'city', text('City')],
  ['what is the price', 'city', text('City')],
  ["what's the price of that", 'name', text('Name')],
  ['is it free', 'city', text('City')],
  ['my best friend', 'mail', text('Where to', { format: 'email' })],
])('words without the form of a value answer no question: %s', (said, name, field) => {
  expect(read(said, name, field, { asked: { fields: [name] }, known: {} })).toBeUndefined()
})

test('a condition on the price is no new value', () => {
  expect(read('yes but only if it is free', 'city', text('City'), { known: { city: 'Oslo' } })).toBe('Oslo')
})
