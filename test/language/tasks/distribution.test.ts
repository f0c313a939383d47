import { expect, test } from 'vitest'
import { findCoordinations, withMember } from '../../../src/language/tasks/coordinations.ts'
import { perValue } from '../../../src/language/tasks/perValue.ts'
import { readTasks } from '../../../src/language/tasks/readTasks.ts'

const [text, number, integer] = [{ type: 'string' }, { type: 'number' }, { type: 'integer' }]
type Property = { type: string; description?: string; format?: string; enum?: string[]; items?: { type: string } }
const schema = (properties: Record<string, Property>, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
})
const now = Date.UTC(2026, 0, 5)
const inputsOf = (words: string, { requirement, listing }: { requirement: ReturnType<typeof schema>; listing: string }) =>
  perValue({ words, requirement, listing, now }).map(it => it.input)

const music = {
  requirement: schema({ artist: { ...text, description: 'The artist to play' }, minutes: integer }),
  listing: 'Music\nPlays songs of an artist',
}
const energy = {
  requirement: schema({
    mass: { ...number, description: 'The mass in kg' },
    velocity: { ...number, description: 'The velocity in m/s' },
  }),
  listing: 'Kinetic energy\nCalculates the kinetic energy of a body',
}
const triangle = {
  requirement: schema({ side1: integer, side2: integer, side3: integer }),
  listing: 'Triangle\nSolves a triangle',
}
const stock = { requirement: schema({ company: text }), listing: 'Shares\nTells the price of a share' }
const logo = { requirement: schema({ company: text }), listing: 'Logo\nDraws a logo for a company' }
const mean = { requirement: schema({ numbers: { type: 'array', items: number } }), listing: 'Mean\nCalculates a mean' }

test('members of one shape that fill the same inputs are a call each, with both values of each', () => {
  expect(inputsOf('the kinetic energy of 5 kg at 10 m/s and 8 kg at 12 m/s', energy)).toEqual([
    { mass: 5, velocity: 10 },
    { mass: 8, velocity: 12 },
  ])
})

const plant = { requirement: schema({ plant: text }), listing: 'Plant care\nTells how to look after a plant' }
test.each([
  'how to look after both basil and rosemary',
  'tell me about basil and about rosemary',
  'my basil and my rosemary, each',
])('items that a text tells apart are a call each: %s', words =>
  expect(inputsOf(words, plant)).toEqual([{ plant: 'basil' }, { plant: 'rosemary' }]),
)

const bill = {
  requirement: schema({ customer: text, amount: number }),
  listing: 'Bill\nWrites a bill',
}
const card = { requirement: schema({ name: text }), listing: 'Card\nWrites a card' }
test('a name of a business, and a thing that is made for two people, is one call', () => {
  for (const words of ['Bill of 1,150 USD for Marsh, Lowe and Partners', 'a bill over 80 USD for Kessler & Sons'])
    expect([words, inputsOf(words, bill).length]).toEqual([words, 1])
  expect(inputsOf('bills for Marsh and Lowe over 80 USD', bill)).toHaveLength(2)
  expect(inputsOf('a wedding card for Nell and Hugo', card)).toEqual([{ name: 'Nell and Hugo' }])
  expect(inputsOf('wedding cards for Nell and Hugo', card)).toHaveLength(2)
})

test('lists side by side are paired where the text says so', () => {
  expect(inputsOf('Play songs of the artists Ann Vale and Bo Tern for 20 and 15 minutes respectively', music)).toEqual([
    { artist: 'Ann Vale', minutes: 20 },
    { artist: 'Bo Tern', minutes: 15 },
  ])
})

test('a list takes the whole coordination, fields of one kind share it, and a quantity in two numbers is one', () => {
  expect(inputsOf('What is the mean of 3, 5 and 8?', mean)).toEqual([{ numbers: [3, 5, 8] }])
  expect(inputsOf('Solve the triangle with the sides 5 units, 4 units and 3 units', triangle)).toHaveLength(1)
  expect(findCoordinations('a wall of 3 metres and 80')).toEqual([])
  expect(findCoordinations('a gift between 30 and 60 euros')).toEqual([])
  expect(findCoordinations('review https://example.org/tide, branch develop, mostly for security')).toEqual([])
})

test('what only one member says is of its call alone, and names beside a value that is told are told, too', () => {
  const recipe = {
    requirement: schema({ dish: text, diet: { ...text, enum: ['vegan', 'keto'] } }, ['dish']),
    listing: 'Recipe\nFinds a recipe',
  }
  expect(inputsOf('Find a Potato Soup recipe and a Vegan Salad recipe', recipe)).toEqual([
    { dish: 'Potato Soup' },
    { dish: 'Vegan Salad', diet: 'vegan' },
  ])
  const show = { requirement: schema({ title: text, museum_name: text }), listing: 'Exhibition\nTells about an exhibition' }
  expect(inputsOf("The exhibition titled 'Dawn' in the Louvre museum and 'Dusk' in the British Museum", show)).toEqual([
    { title: 'Dawn', museum_name: 'Louvre' },
    { title: 'Dusk', museum_name: 'British Museum' },
  ])
})

test('two names are two companies where several things of them are asked for, and else one name', () => {
  expect(inputsOf('What were the share prices of Tern and Tide?', stock)).toEqual([{ company: 'Tern' }, { company: 'Tide' }])
  expect(inputsOf('Draw a logo for Tern and Tide', logo)).toEqual([{ company: 'Tern and Tide' }])
})

test('a unit that only the last number has is that of all, and the words of each call are a sentence', () => {
  const said = 'a loan for 15, 20 and 30 years'
  const [members = []] = findCoordinations(said)
  expect(members.map((_, at) => withMember(said, members, at))).toEqual([15, 20, 30].map(it => `a loan for ${it} years`))
})

test('the reading of a long row of words is bounded', () => {
  expect(findCoordinations('a, b and '.repeat(400))).toEqual([])
})

test('joined nouns share the object behind them, and a clause about a noun is no task', () => {
  const wordsOf = (said: string) => readTasks(said).map(it => it.words)
  expect(wordsOf('Find the mass and the radius of Jupiter')).toEqual(['Find the mass of Jupiter', 'Find the radius of Jupiter'])
  expect(wordsOf("Get me the file of the case 'K-77', which was opened in 2015 and closed in Ghent.")).toHaveLength(1)
  expect(wordsOf('What is the area of two circles, one with a radius of 5 m and the other with a radius of 9 m?')).toHaveLength(1)
})

test('items below a head are a call each, where each has all that is required, and one call takes them as a row', () => {
  const portion = {
    requirement: schema({ food: text, grams: { ...number, description: 'Weight in grams' } }),
    listing: 'Calories\nOf a portion',
  }
  expect(inputsOf('calories: 250 g lentils, 90 g feta and 40 g walnuts', portion)).toEqual([
    { food: 'lentils', grams: 250 },
    { food: 'feta', grams: 90 },
    { food: 'walnuts', grams: 40 },
  ])
  const bill = { requirement: schema({ customer: text, amount: number, currency: text }), listing: 'Invoice\nWrites an invoice' }
  expect(inputsOf('invoices: Villa Rosa 90 EUR, Peter Lang 45 EUR, J. Okoro 210 GBP', bill).map(it => it.customer)).toEqual([
    'Villa Rosa',
    'Peter Lang',
    'J. Okoro',
  ])
  const chart = { requirement: schema({ rows: text }), listing: 'Chart\nDraws a chart of rows' }
  expect(inputsOf('a chart of: rent 900, food 400, fun 200', chart)).toHaveLength(1)
})

test('the way there and back are two calls, unless the offering takes the day of the return', () => {
  const day = { type: 'string', format: 'date' }
  const train = {
    requirement: schema({ origin: text, destination: text, after: { ...text, description: 'Earliest time' } }, [
      'origin',
      'destination',
    ]),
    listing: 'Trains\nBetween two towns',
  }
  expect(inputsOf('trains from Parma to Turin and back again, both after 18:00', train)).toEqual([
    { origin: 'Parma', destination: 'Turin', after: '18:00' },
    { origin: 'Turin', destination: 'Parma', after: '18:00' },
  ])
  const flight = {
    requirement: schema({ origin: text, destination: text, return_date: day }, ['origin', 'destination']),
    listing: 'Flights\nBetween two towns',
  }
  expect(inputsOf('flights from Parma to Turin and back', flight)).toHaveLength(1)
})

test('hosts in a row are a call each', () => {
  const owner = { requirement: schema({ domain: { ...text, description: 'Domain' } }), listing: 'whois\nOwner of a domain' }
  expect(inputsOf('Who owns alder.example, birch.example and cedar.example?', owner)).toEqual(
    ['alder', 'birch', 'cedar'].map(it => ({ domain: `${it}.example` })),
  )
})

test('asides, semicolons, pluses and further questions begin tasks', () => {
  const texts = (message: string) => readTasks(message).map(it => it.words)
  expect(texts('Remind me at 6 to feed the hens. Oh and what rhymes with clover?')).toHaveLength(2)
  expect(texts('Ferry from Oban to Mull; opening hours of the castle; weather in Tobermory tomorrow')).toHaveLength(3)
  expect(texts('weather in Cork + trains from Cork to Dublin + a recipe for soda bread')).toHaveLength(3)
  expect(texts("I'm fencing a field: 60 metres, how many posts? And what's 60 metres in yards?")).toEqual([
    "I'm fencing a field: 60 metres, how many posts?",
    "what's 60 metres in yards?",
  ])
  expect(texts('what rhymes with copper, and four synonyms for eager')).toHaveLength(2)
  // An address that is listed begins none.
  expect(texts('Join https://f.example/a.pdf, https://f.example/b.pdf and https://f.example/c.pdf into one')).toHaveLength(1)
})
