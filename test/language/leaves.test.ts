import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { fillRequest } from '../../src/language/filling/fillRequest.ts'

/** Wednesday, 10 June 2026, 9:00 UTC. */
const now = Date.UTC(2026, 5, 10, 9)
const text = (description = '', more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more })
const whole = (description = ''): JsonObject => ({ type: 'integer', description })
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
})

const recipient = object(
  { name: text('Whom it is for'), street: text('Street and number'), postcode: text('Postcode'), city: text('Town') },
  ['street', 'postcode', 'city'],
)
const bulbs = object(
  {
    items: { type: 'array', items: object({ kind: text('', { enum: ['tulip', 'crocus'] }), quantity: whole('How many bulbs') }) },
    recipient,
    gift: object({ card: text('Words on the card'), wrap: { type: 'boolean', description: 'Wrap it' } }),
  },
  ['items', 'recipient'],
)
const listing = 'Flower bulbs by post\nSends bulbs'
const fill = (said: string, requirement: JsonObject, more: object = {}) =>
  fillRequest({ text: said, requirement, now, listing, ...more })

const items = [
  { kind: 'tulip', quantity: 40 },
  { kind: 'crocus', quantity: 25 },
]
const home = { street: '8 Orchard Lane', postcode: 'OX4 2DU', city: 'Oxford' }

describe('members of objects and items of lists are filled from a sentence', () => {
  test.each([
    '40 tulip bulbs and 25 crocus bulbs to 8 Orchard Lane, OX4 2DU Oxford',
    'please send 40 tulip bulbs, 25 crocus bulbs. The address is 8 Orchard Lane, Oxford OX4 2DU',
  ])('%s', said => expect(fill(said, bulbs)).toMatchObject({ values: { items, recipient: home }, missing: [] }))

  test('a name before the address belongs to it', () => {
    const { values } = fill('40 tulip bulbs for Ada Berg, 8 Orchard Lane, OX4 2DU Oxford', bulbs)
    expect(values.recipient).toEqual({ name: 'Ada Berg', ...home })
  })

  test('an item without a required member is asked for, and an optional object is not', () => {
    expect(fill('tulip bulbs to 8 Orchard Lane, OX4 2DU Oxford', bulbs)).toMatchObject({
      values: { recipient: home },
      missing: ['items'],
    })
  })
})

describe('the answer to a question about an object', () => {
  const known = { items }
  const asked = { fields: ['recipient'] }
  test.each([
    'street: 8 Orchard Lane\npostcode: OX4 2DU\ncity: Oxford',
    'city: Oxford\nstreet: 8 Orchard Lane\npostcode: OX4 2DU',
    '8 Orchard Lane\nOX4 2DU\nOxford',
    '8 Orchard Lane, OX4 2DU Oxford',
    JSON.stringify({ recipient: home }),
    JSON.stringify(home),
  ])('is a form, values in order, JSON or words: %s', said => {
    expect(fill(said, bulbs, { known, asked }).values).toMatchObject({ items, recipient: home })
  })

  test('keeps the members that were given before', () => {
    const before = { items, recipient: { street: home.street, city: home.city } }
    expect(fill('OX4 2DU', bulbs, { known: before, asked }).values).toEqual({ items, recipient: home })
  })
})

test('a change touches one member of an object', () => {
  const known = { items, recipient: home }
  expect(fill('make the city Abingdon', bulbs, { known }).values).toEqual({ items, recipient: { ...home, city: 'Abingdon' } })
})

describe('a value goes to the field that takes its form, with the words beside it', () => {
  const size = object({ width: whole('Width in pixels'), height: whole('Height in pixels') }, ['width'])
  const probe = object({ host: text('Name or IP address'), port: whole('TCP port'), tries: whole('How often to try') }, ['host'])
  const sea = object({ lat: { type: 'number', description: 'Latitude' }, lon: { type: 'number', description: 'Longitude' } })
  const hours = object({
    opens: text('Opening time', { pattern: '^\\d\\d:\\d\\d$' }),
    closes: text('Closing time', { pattern: '^\\d\\d:\\d\\d$' }),
  })
  const roof = object({ area_m2: { type: 'number', description: 'Area in square metres' } })
  const call = object({ phone: text('Number in E.164 form, e.g. +442071838750') })
  test.each<[string, JsonObject, JsonObject]>([
    ['make it 300 high and 500 wide', size, { width: 500, height: 300 }],
    ['to 800x600 please', size, { width: 800, height: 600 }],
    ['try shop.example twice on port 8080', probe, { host: 'shop.example', port: 8080, tries: 2 }],
    ['try 192.0.2.7 on TCP 53, 4 times', probe, { host: '192.0.2.7', port: 53, tries: 4 }],
    ['at 36.1° N, 5.35° W', sea, { lat: 36.1, lon: -5.35 }],
    ['near 54.18, 7.89', sea, { lat: 54.18, lon: 7.89 }],
    ['we open at 8:00 and close at 18:30', hours, { opens: '08:00', closes: '18:30' }],
    ['a roof of 140 square metres', roof, { area_m2: 140 }],
    ['ring +44 20 7946 0958', call, { phone: '+442079460958' }],
  ])('%s', (said, requirement, values) => expect(fill(said, requirement).values).toEqual(values))
})
