import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { toInputText } from '../../src/domain/schemas/testInput.ts'
import { fillRequest } from '../../src/language/filling/fillRequest.ts'

/** Wednesday, 10 June 2026, 9:00 UTC. */
const now = Date.UTC(2026, 5, 10, 9)
const string = (description = '', more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more })
const form = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
})
const day = string('Day', { format: 'date' })

const car = form({ city: string('City'), pickup: day, seats: { type: 'integer', description: 'How many seats' } }, [
  'city',
  'pickup',
])
const trip = form({ from: string('City you leave'), to: string('City you reach'), depart_date: day, return_date: day }, [
  'from',
  'to',
  'depart_date',
])
const room = form({ area_m2: { type: 'number' }, colour: string('', { enum: ['red', 'dark green', 'white'] }) })
const letter = form({ text: string('The letter'), target_language: string('Language to translate into') })
const budget = form({ who: string('Who gets it'), budget: { type: 'number', description: 'What you spend, in EUR' } }, ['budget'])
const essay = form({ topic: string('What it is about'), words: { type: 'integer', description: 'Length in words' } }, ['topic'])
const exchange = form({
  amount: { type: 'number' },
  from_currency: string('', { enum: ['EUR', 'USD', 'NOK', 'CHF'] }),
  to_currency: string('', { enum: ['EUR', 'USD', 'NOK', 'CHF'] }),
})
const fill = (text: string, requirement: JsonObject | null, more: Partial<Parameters<typeof fillRequest>[0]> = {}) =>
  fillRequest({ text, requirement, now, ...more })

describe('a request is read by the types of its fields', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['a car in Bergen from the day after tomorrow, 7 seats', car, { city: 'Bergen', pickup: '2026-06-12', seats: 7 }],
    ['car in Bergen on 24.12.', car, { city: 'Bergen', pickup: '2026-12-24' }],
    ['car in Bergen in a fortnight', car, { city: 'Bergen', pickup: '2026-06-24' }],
    ['car in Bergen on the 3rd', car, { city: 'Bergen', pickup: '2026-07-03' }],
    ['car in Bergen on Christmas Eve', car, { city: 'Bergen', pickup: '2026-12-24' }],
    [
      'Leeds to Cork on 2 July, back 9 July',
      trip,
      { from: 'Leeds', to: 'Cork', depart_date: '2026-07-02', return_date: '2026-07-09' },
    ],
    ['from Leeds to Cork, 2-9 July', trip, { from: 'Leeds', to: 'Cork', depart_date: '2026-07-02', return_date: '2026-07-09' }],
    ['a wall of 12,5 m in dark gren', room, { area_m2: 12.5, colour: 'dark green' }],
    ['20, not red, white', room, { area_m2: 20, colour: 'white' }],
    ['"See you soon" into Icelandic', letter, { text: 'See you soon', target_language: 'Icelandic' }],
    [
      'put this into danish:\nHello Bo,\nsee you in May.',
      letter,
      { text: 'Hello Bo,\nsee you in May.', target_language: 'Danish' },
    ],
    ['1.250,50 Swiss francs in Norwegian kroner', exchange, { amount: 1250.5, from_currency: 'CHF', to_currency: 'NOK' }],
    ['change 3k euros to dollars', exchange, { amount: 3000, from_currency: 'EUR', to_currency: 'USD' }],
    ['an essay about moss in old gardens, eight hundred words', essay, { topic: 'moss in old gardens', words: 800 }],
  ])('%s', (text, requirement, values) => {
    expect(fill(text, requirement, { listing: 'Essay, car, trip\nWrites, rents, books' }).values).toEqual(values)
  })

  test.each<[string, JsonObject]>([
    ['hello, can you help me?', car],
    ['I need a car', car],
    ['write an essay please', essay],
    ['somewhere to live', form({ city: string('City') })],
    [
      'an order with parts',
      form({ order: { type: 'object', properties: {} }, rows: { type: 'array', items: { type: 'object' } } }),
    ],
  ])('no value is invented from: %s', (text, requirement) => {
    expect(fill(text, requirement, { listing: 'Essay and car' })).toMatchObject({ values: {}, missing: requirement.required })
  })
})

describe('an amount becomes a field, a limit or is reported as unread', () => {
  test.each<[string, JsonObject, object]>([
    ['an essay about moss, it must not cost more than 0.30', essay, { maxPrice: '0.30' }],
    ['an essay about moss, I pay at most 40 cents', essay, { maxPrice: '0.4' }],
    ['an essay about moss for half a dollar', essay, { maxPrice: '0.5' }],
    ['an essay about moss within a quarter of an hour', essay, { withinMinutes: 15 }],
    ['an essay about moss by this evening, 20 minutes max', essay, { withinMinutes: 20 }],
    ['an essay about moss by 9:30, two hours is ok', essay, { withinMinutes: 120 }],
    ['an essay about moss, up to 5 euros', essay, { unread: ['5 euros'] }],
  ])('%s', (text, requirement, limits) => {
    expect(fill(text, requirement, { listing: 'Essay' }).limits).toEqual(limits)
  })

  test('an amount of money goes into a field for money', () => {
    expect(fill('something for Ada, 30 euros tops', budget)).toMatchObject({ values: { budget: 30 }, limits: {} })
  })
})

const conversion = form({
  amount: { type: 'number', description: 'How much to convert' },
  from: string('The unit that it is in'),
  to: string('The unit that it should be in'),
})

test.each(['tomorrow at 9 convert 5 kg to pounds', 'at 9 convert 5 kg to pounds', 'convert 5 kg to pounds at 9'])(
  'an hour is no amount where another number has a unit: %s',
  text => {
    expect(fill(text, conversion, { listing: 'Convert units' }).values).toEqual({ amount: 5, from: 'kg', to: 'pounds' })
  },
)

describe('a change touches one field', () => {
  const known = { from: 'Leeds', to: 'Cork', depart_date: '2026-07-02' }
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['swap them', trip, known, { ...known, from: 'Cork', to: 'Leeds' }],
    ['one day later', trip, known, { ...known, depart_date: '2026-07-03' }],
    ['no, to Galway', trip, known, { ...known, to: 'Galway' }],
    ['the 5th please', trip, known, { ...known, depart_date: '2026-07-05' }],
    ['same for Oslo', car, { city: 'Bergen', pickup: '2026-06-12' }, { city: 'Oslo', pickup: '2026-06-12' }],
    ['make it Oslo', car, { city: 'Bergen', pickup: '2026-06-12' }, { city: 'Oslo', pickup: '2026-06-12' }],
    ['5 seats', car, { city: 'Bergen', pickup: '2026-06-12' }, { city: 'Bergen', pickup: '2026-06-12', seats: 5 }],
    ['not 800, 600', essay, { topic: 'moss', words: 800 }, { topic: 'moss', words: 600 }],
    ['change 800 to 900', essay, { topic: 'moss', words: 800 }, { topic: 'moss', words: 900 }],
    ['change Leeds to Galway', trip, known, { ...known, from: 'Galway' }],
    ['replace moss with ferns', essay, { topic: 'moss', words: 800 }, { topic: 'ferns', words: 800 }],
    ['shorter', essay, { topic: 'moss', words: 800 }, { topic: 'moss', words: 400 }],
    ['add: and ferns', essay, { topic: 'moss', words: 800 }, { topic: 'moss, and ferns', words: 800 }],
    ['no, from miles', conversion, { amount: 5, from: 'km', to: 'feet' }, { amount: 5, from: 'miles', to: 'feet' }],
    ['kelvin instead', conversion, { amount: 5, from: 'km', to: 'feet' }, { amount: 5, from: 'km', to: 'kelvin' }],
    ['not Leeds but Galway', trip, known, { ...known, from: 'Galway' }],
    ['thanks', essay, { topic: 'moss', words: 800 }, { topic: 'moss', words: 800 }],
  ])('%s', (text, requirement, before, values) => {
    expect(fill(text, requirement, { known: before }).values).toEqual(values)
  })
})

describe('the answer to an open question becomes its value', () => {
  const asked = (fields: string[], times = 1) => ({ asked: { fields, times } })

  test.each<[string, JsonObject, string[], JsonObject]>([
    ['Will the price of tin pass 40k by June?', essay, ['topic'], { topic: 'Will the price of tin pass 40k by June?' }],
    ['bergen', car, ['city'], { city: 'bergen' }],
    ["it's Bergen. no wait, Stavanger", car, ['city'], { city: 'Stavanger' }],
    ['In Paris: "the cat" sat.', letter, ['text'], { text: 'In Paris: "the cat" sat.' }],
  ])('%s', (text, requirement, fields, values) => {
    expect(fill(text, requirement, asked(fields)).values).toEqual(values)
  })

  test('a second asking is checked like the first', () => {
    const code = form({ device: string('The number of the device') })
    expect(fill('my name is Ann', code, asked(['device'])).values).toEqual({})
    expect(fill('my name is Ann', code, asked(['device'], 2)).values).toEqual({})
  })
})

describe('an offering without a form gets plain text', () => {
  test.each<[string, string]>([
    ['Echo a text: hello world', 'hello world'],
    ['my fern has brown tips', 'my fern has brown tips'],
    ['Error: cannot open file: no such directory', 'Error: cannot open file: no such directory'],
  ])('%s', (text, sent) => {
    const forms: (JsonObject | null)[] = [null, {}, { type: 'object', properties: {} }]
    for (const requirement of forms) {
      const { values } = fill(text, requirement, { listing: 'Echo' })
      expect(toInputText(requirement, values)).toBe(sent)
    }
  })

  test('a message with no content of its own leaves the text missing', () => {
    for (const said of ['can you do it?', 'I need a recipe'])
      expect(fill(said, null, { listing: 'Recipe\nWrites a recipe for a dish.' }).missing).toEqual(['text'])
    for (const said of ['a recipe with leeks', 'write me a recipe'])
      expect(fill(said, null, { listing: 'Recipe\nWrites a recipe for a dish.' }).missing).toEqual([])
  })
})

const text = form({ text: string() })
test.each([
  [
    'notes with a command in them',
    '# Deploy\n\nFirst run this:\n\n```sh\nnpm ci\n```\n\nThen open the page.\n\n- check logs',
    (it: string) => `Make a printable page of these notes:\n\n${it}`,
  ],
  [
    'a text that goes on after its fence',
    'Run it:\n```\nls -la\n```\nThen rest. Then work.',
    (it: string) => `Summarize this text: ${it}`,
  ],
  [
    'a page with two fences and the words of a hire',
    '# A\n\nIt does one hire from the first sentence, May 1831.\n\n```sh\nnpm ci # comment\n```\n\nMore here.\n```\nx\n```',
    (it: string) => `Please summarize this README for me:\n${it}\n`,
  ],
  [
    'a text above the request',
    'DATA_DIR is a folder: the chain has it.',
    (it: string) => `${it}\n\nSummarize the text above please`,
  ],
])('%s reaches its field byte for byte, and whole', (_name, material, say) => {
  const { values } = fillRequest({ text: say(material), requirement: text, now: 0, listing: 'Summary\nSummarises a text' })
  expect(values).toEqual({ text: material })
})

test('a fence right after the request stays the material alone, and words after it are left out by name', () => {
  const { values, leftover } = fillRequest({ text: 'Summarize this:\n```\nls -la\n```\nThen rest.', requirement: text, now: 0 })
  expect([values, leftover]).toEqual([{ text: 'ls -la' }, expect.stringContaining('rest')])
})
