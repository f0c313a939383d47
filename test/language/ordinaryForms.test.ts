import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { fillRequest } from '../../src/language/filling/fillRequest.ts'

const now = Date.UTC(2030, 0, 1, 9)
const fill = (text: string, requirement: JsonObject, known?: JsonObject) =>
  fillRequest({ text, requirement, now, listing: 'Work\nDoes the work.', ...(known && { known }) }).values
const of = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({ type: 'object', properties, required })
const string = { type: 'string' }
const date = { type: 'string', format: 'date' }
const size = { type: 'string', enum: ['S', 'M', 'L', 'XL'] }
const diets = { type: 'array', items: { type: 'string', enum: ['vegan', 'nut-free', 'gluten-free'] } }
const end = of({ country: { type: 'string', description: 'ISO country code' }, postcode: string })
const row = of({ description: string, quantity: { type: 'number' }, unit_price: { type: 'number' } })

describe('values are read by their form and not by the name that a provider gave the field', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['a large one', of({ size }), { size: 'L' }],
    ['an extra large one', of({ size }), { size: 'XL' }],
    ['vegan, and two of us are allergic to nuts', of({ diets }), { diets: ['vegan', 'nut-free'] }],
    ['send it every week', of({ how_often: { type: 'string', enum: ['daily', 'weekly'] } }), { how_often: 'weekly' }],
    ['I am 31, book it', of({ driver_age: { type: 'integer' } }), { driver_age: 31 }],
    [
      'is quillbramble taken',
      of({ label_name: { type: 'string', pattern: '^[a-z0-9-]{2,60}$' } }),
      { label_name: 'quillbramble' },
    ],
    [
      'from AT 6020 to PT 1000-205',
      of({ pickup: end, delivery: end }),
      { pickup: { country: 'AT', postcode: '6020' }, delivery: { country: 'PT', postcode: '1000-205' } },
    ],
    [
      'Client: Ada Byron\nItem: oak table\nQuantity: 2\nPrice: 90',
      of({ client: of({ name: string }), items: { type: 'array', items: row, minItems: 1 } }),
      { client: { name: 'Ada Byron' }, items: [{ description: 'oak table', quantity: 2, unit_price: 90 }] },
    ],
    [
      'Date: 2030-02-03\nTime: 10:30',
      of({ day: date, from_time: { type: 'string', pattern: '^\\d\\d:\\d\\d$' } }),
      { day: '2030-02-03', from_time: '10:30' },
    ],
  ])('%s', (text, requirement, values) => {
    expect(fill(text, requirement)).toEqual(values)
  })

  test('a request whose words before a colon only resemble a label keeps them', () => {
    const requirement = of({ question: string, dialect: { type: 'string', enum: ['mysql', 'sqlite'] } })
    expect(fill('mysql query: all orders without an invoice', requirement)).toMatchObject({ dialect: 'mysql' })
  })
})

describe('a change that is said by the old value', () => {
  const rental = of({ pick_up: date, bring_back: date, size })
  const known = { pick_up: '2030-02-03', bring_back: '2030-02-05', size: 'L' }

  test.each<[string, JsonObject]>([
    ['one size smaller will do', { ...known, size: 'M' }],
    ['we need a bigger one', { ...known, size: 'XL' }],
    ['keep it a day longer', { ...known, bring_back: '2030-02-06' }],
    ['two days later please', { ...known, pick_up: '2030-02-05', bring_back: '2030-02-07' }],
  ])('%s', (text, values) => {
    expect(fill(text, rental, known)).toEqual(values)
  })

  test('turns a route of objects around as a whole', () => {
    const there = { pickup: { country: 'DE', postcode: '10115' }, delivery: { country: 'AT', postcode: '6020' } }
    const back = { pickup: there.delivery, delivery: there.pickup }
    expect(fill('the other way round please', of({ pickup: end, delivery: end }), there)).toEqual(back)
  })
})
