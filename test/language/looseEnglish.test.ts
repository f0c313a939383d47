import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { distance, respell } from '../../src/domain/text/spelling.ts'
import { createRules } from '../../src/language/reader/rules.ts'
import { languageOf } from '../../src/language/words/language.ts'
import { readerDir } from '../reader.ts'

const rules = createRules({ dir: readerDir })
const string = { type: 'string' }
const of = (properties: JsonObject): JsonObject => ({ type: 'object', properties, required: Object.keys(properties) })
const journey = of({ origin: string, destination: string })
const language = { type: 'string', enum: ['English', 'French', 'German'] }
const moment = { type: 'string', description: 'When it begins. Format: %Y-%m-%d %H:%M:%S' }
const code = { type: 'string', description: 'The number of the device' }

describe('values without capital letters, without articles or misspelt', () => {
  test.each<[string[], JsonObject, JsonObject]>([
    [['book me hotel in warsaw for 3 nights'], of({ city: string }), { city: 'warsaw' }],
    [['hotels in new york tomorrow, cheap'], of({ city: string }), { city: 'new york' }],
    [['fly from berlin to rome on 12 may'], journey, { origin: 'berlin', destination: 'rome' }],
    [['plan trip to japan for 10 days'], of({ destination: string }), { destination: 'japan' }],
    [['say it in frensh'], of({ language }), { language: 'French' }],
    [['into spansih please'], of({ language: string }), { language: 'Spanish' }],
    [['start it on May 3rd, 2026 at 9:30 pm'], of({ time: moment }), { time: '2026-05-03 21:30:00' }],
    [['switch it off', "It's 10000025."], of({ device: code }), { device: '10000025' }],
    [['summarise a text', "It's raining outside."], of({ text: string }), { text: "It's raining outside." }],
  ])('%j', async (said, requirement, filled) => {
    expect(await rules.fill({ said, requirement })).toEqual(filled)
  })

  test.each<[string[], JsonObject]>([
    [['hotel in a good area for 3 nights'], of({ city: string })],
    [['can you help me in finding a hotel?'], of({ city: string })],
    [['i need a bus to take for 2 people'], of({ destination: string })],
    [['a letter for germany'], of({ language })],
    [['a reasonably priced place'], of({ price: { type: 'string', enum: ['pricey', 'cheap'] } })],
    [['start it at 9am'], of({ time: moment })],
    [['switch it off', 'my name is ann'], of({ device: code })],
  ])('no value is guessed from %j', async (said, requirement) => {
    expect(await rules.fill({ said, requirement })).toEqual({})
  })
})

test.each([
  ['hotel', 'hotel', 0],
  ['hotle', 'hotel', 0.5],
  ['hotl', 'hotel', 1],
  ['hootel', 'hotel', 1],
  ['motel', 'hotel', 1],
  ['weahter', 'weather', 0.5],
  ['wehater', 'weather', 2],
  ['clock', 'weather', Number.POSITIVE_INFINITY],
])('%s is %s with %d edits', (a, b, edits) => {
  expect(distance(a, b, 2)).toBe(edits)
  expect(distance(b, a, 2)).toBe(edits)
})

test('a word that is equally near to two stays as it is', () => {
  expect(respell('casting', ['lasting', 'costing', 'casking'])).toBe('casting')
  expect(respell('custing', ['lasting', 'costing'])).toBe('costing')
})

test.each<[string[], JsonObject]>([
  [['what time is it in lisbon'], { city: 'lisbon' }],
  [['time in Lisbon please. Actually Porto'], { city: 'Porto' }],
  [['the time please', 'Cape Verde for 5 days'], { city: 'Cape Verde' }],
  [['clock'], {}],
])('a city is read although the listing names it as an example, and no word of the listing is one: %j', async (said, filled) => {
  const listing = 'Local time\nWhat time is it in Lisbon, Porto or Faro now? Tells the time of a city.\ncity clock'
  expect(await rules.fill({ said, requirement: of({ city: string }), listing })).toEqual(filled)
})

test('letters beside digits are no words of another language', () => {
  expect(['chek this pls: 4', 'blend of A1 O3 O6 and E4 pls'].map(languageOf)).toEqual(['en', 'en'])
  expect(languageOf('quero comprar o livro A1')).toBe('pt')
})
