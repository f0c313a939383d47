import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { fillSaid } from '../../src/language/filling/fillSaid.ts'
import { findLeftOut } from '../../src/language/filling/leftOut.ts'

// What people take back, move or say beside a change. Sellers and sentences of no other test.

/** Monday, 23 November 2026, noon UTC. */
const now = Date.UTC(2026, 10, 23, 12)
const form = (required: string[], properties: JsonObject): JsonObject => ({ type: 'object', required, properties })
const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more })
const count = (description: string): JsonObject => ({ type: 'integer', description })

const kiln = form(['day', 'from'], {
  day: text('Day of the firing', { format: 'date' }),
  from: text('Time from which it is needed', { pattern: '^[0-9]{2}:[0-9]{2}$' }),
  people: count('How many people come'),
})
const bars = form(['bars'], {
  title: text('Title above the drawing'),
  bars: {
    type: 'array',
    description: 'The bars',
    items: form(['label', 'value'], { label: text('Name of the bar'), value: { type: 'number', description: 'Its height' } }),
  },
})
const quiz = form(['topic', 'questions'], { topic: text('What it is about'), questions: count('Number of questions') })
const entry = form(['title', 'starts_at'], {
  title: text('What the event is called'),
  starts_at: text('When it starts', { format: 'date-time' }),
  minutes: count('How long it lasts, in minutes'),
  place: text('Place of the event'),
})
const shed = form(['base', 'height'], { base: count('Base in cm'), height: count('Height in cm') })
const sort = form(['elements'], {
  elements: { type: 'array', items: { type: 'string' }, description: 'What is sorted' },
  order: text('In which order'),
})
const twins = form(['sign1', 'sign2'], { sign1: text('The first sign of the zodiac'), sign2: text('The second sign') })

const cabin = form(['lake'], {
  lake: text('Name of the lake'),
  sauna: { type: 'boolean', description: 'Whether it has a sauna' },
  boat: { type: 'boolean', description: 'Whether a boat comes with it' },
  beds: { type: 'string', enum: ['1', '2', '3', '4', 'any'], description: 'How many beds' },
  stars: { type: 'string', enum: ['1', '2', '3', '4', '5', 'any'], description: 'Stars of the cabin' },
})
const film = form(['directed_by'], {
  directed_by: text('Who directed it'),
  cast: text('Who acts in it'),
})
const sums = form(['a', 'b'], {
  a: { type: 'number', description: 'First number' },
  b: { type: 'number', description: 'Second' },
})
const shelf = form(['id'], { id: text('Id of the shelf') })

const bell = form(['what', 'at'], { what: text('What to be reminded of'), at: text('Time of day', { format: 'time' }) })

const listings = {
  kiln: ['Kiln rental\nBooks a kiln', kiln],
  bars: ['Bar drawing\nDraws bars', bars],
  quiz: ['Quiz maker\nWrites a quiz', quiz],
  entry: ['Calendar entry\nMakes a file for a calendar', entry],
  shed: ['Shed planner\nPlans a shed', shed],
  sort: ['Sorter\nSorts words', sort],
  bell: ['Bell\nReminds you at a time', bell],
  cabin: ['Cabin search\nFinds a cabin', cabin],
  film: ['Film search\nFinds a film', film],
  sums: ['Multiplier\nMultiplies two numbers', sums],
  shelf: ['Shelf report\nTells what lies on a shelf', shelf],
  twins: ['Star match\nCompares two signs', twins],
} as const
const fill = (seller: keyof typeof listings, said: string[]) => {
  const [listing, requirement] = listings[seller]
  return fillSaid({ said, requirement, listing, now })
}

describe('the value after a correction takes the place of the one before it', () => {
  test.each<[keyof typeof listings, string[], JsonObject]>([
    ['kiln', ['the kiln on Friday from 9:15, sorry 9:45'], { from: '09:45' }],
    ['kiln', ['the kiln on Friday from 9:15 sorry 9:45'], { from: '09:45' }],
    ['kiln', ['the kiln on 3 December, no 4 December, from 10:00, for 6, sorry, 8 people'], { day: '2026-12-04', people: 8 }],
    ['kiln', ['the kiln on Tuesday from 10am. Sorry, 11am'], { from: '11:00' }],
    ['quiz', ['a quiz about lichens', '20, sorry 24'], { questions: 24 }],
    ['quiz', ['a quiz about lichens', '24 questions, no, 20', '30, no 35'], { questions: 35 }],
  ])('%s: %j', (seller, said, values) => {
    expect(fill(seller, said)).toMatchObject(values)
    const [listing, requirement] = listings[seller]
    expect(findLeftOut({ said, values: fill(seller, said), requirement, listing, now })).toEqual([])
  })

  test.each([
    'Draw bars: apples 3, pears 5, no 6, plums 2',
    'Draw bars: apples 3, pears 5, sorry 6, plums 2',
    'draw bars for apples 3, pears 5, no wait 6 and plums 2',
  ])('in a list that has no text of its own: %s', said => {
    const items = [
      { label: 'apples', value: 3 },
      { label: 'pears', value: 6 },
      { label: 'plums', value: 2 },
    ]
    expect(fill('bars', [said]).bars).toEqual(items)
  })

  test('a remark is no correction', () => {
    expect(fill('kiln', ['the kiln on Friday from 10:00, we are 5, no one is late']).people).toBe(5)
  })
})

describe('a moment has a day and a time', () => {
  const booked = 'Put "Rehearsal" into my calendar tomorrow at 14:00, 30 minutes, place: Uppsala'
  test.each<[string[], string]>([
    [[booked, 'at 15:00 rather'], '2026-11-24T15:00:00Z'],
    [[booked, 'make it 4pm'], '2026-11-24T16:00:00Z'],
    [[booked, 'on Friday instead'], '2026-11-27T14:00:00Z'],
    [[booked, 'a day later, please'], '2026-11-25T14:00:00Z'],
    [['Put "Rehearsal" into my calendar', 'at 14:00', 'tomorrow'], '2026-11-24T14:00:00Z'],
    [['Put "Rehearsal" into my calendar for Thursday', 'half past six in the evening'], '2026-11-26T18:30:00Z'],
  ])('of which a message may give one: %j', (said, moment) => {
    const { starts_at, minutes } = fill('entry', said)
    expect({ starts_at, minutes }).toEqual({ starts_at: moment, minutes: said[0] === booked ? 30 : undefined })
  })

  test.each(['Call it Recital instead, and I am in Falun', 'call it Recital please, we live in Falun'])(
    'where its user is moves nothing: %s',
    said => expect(fill('entry', [booked, said])).toMatchObject({ title: 'Recital', place: 'Uppsala' }),
  )
  test('an agreement in another language is no title', () => {
    expect(fill('entry', ['a calendar entry tomorrow at 14:00', 'Ja'])).toEqual({ starts_at: '2026-11-24T14:00:00Z' })
  })
})

test.each<[keyof typeof listings, string, JsonObject]>([
  ['shed', 'a shed whose base and height are 160 and 210 cm', { base: 160, height: 210 }],
  ['shed', 'plan a shed, height and base: 210 cm and 160 cm', { base: 160, height: 210 }],
  ['sort', "sort these in falling order: ['oak', 'ash']", { elements: ['oak', 'ash'] }],
  ['twins', 'how well does Leo go with Virgo? compare the signs of Leo and Virgo', { sign1: 'Leo', sign2: 'Virgo' }],
])('values side by side go to the fields side by side: %s: %s', (seller, said, values) => {
  expect(fill(seller, [said])).toEqual(values)
})

test.each<[keyof typeof listings, string, JsonObject]>([
  ['cabin', "a cabin at Lake Siljan with 2 beds, I don't mind about a sauna or a boat", { beds: '2' }],
  ['cabin', 'a cabin at Lake Siljan, 3 beds, not with a sauna or a boat', { beds: '3', sauna: false, boat: false }],
  ['cabin', 'a cabin at Lake Siljan with 4 stars and a boat', { stars: '4', boat: true }],
])('what does not matter is left open, and what is denied together is denied: %s: %s', (seller, said, values) => {
  const { lake: _, ...rest } = fill(seller, [said])
  expect(rest).toEqual(values)
})

test.each<[keyof typeof listings, string, JsonObject]>([
  ['film', 'films with Ada Lund as the director and Per Holm in the cast', { directed_by: 'Ada Lund', cast: 'Per Holm' }],
  ['film', 'anything directed by Ada Lund with Per Holm in the cast', { directed_by: 'Ada Lund', cast: 'Per Holm' }],
  ['bell', 'remind me at 14:00 to call Ben', { what: 'call Ben', at: '14:00:00' }],
  ['bell', 'please remind me to write to Ada at 10:00', { what: 'write to Ada', at: '10:00:00' }],
  ['bell', 'remind me about the rehearsal at 3pm', { what: 'rehearsal', at: '15:00:00' }],
  ['sums', 'what is 17 times 23?', { a: 17, b: 23 }],
  ['sums', 'multiply 17 and 23', { a: 17, b: 23 }],
  ['shelf', 'what lies on "north-7"?', { id: 'north-7' }],
])('a value is known by the words at its sides: %s: %s', (seller, said, values) => {
  expect(fill(seller, [said])).toEqual(values)
})
