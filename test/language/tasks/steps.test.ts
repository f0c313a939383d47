import { expect, test } from 'vitest'
import { perValue } from '../../../src/language/tasks/perValue.ts'
import { readTasks } from '../../../src/language/tasks/readTasks.ts'
import { readRounds } from '../../../src/language/tasks/rounds.ts'
import { readSteps } from '../../../src/language/tasks/steps.ts'

const schema = (properties: Record<string, { type: string; format?: string; description?: string }>) => ({
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

test('how much is read for one text is bounded by its length times the fields, and what is too long is one call', () => {
  const fields = schema(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`day_${at}`, { ...text, format: 'date' }])))
  const days = '3 May 2027, '.repeat(120)
  const read = readRounds({ text: days, requirement: fields, listing: 'Days', now })
  while (!read.isSpent()) read.readPart(days)
  expect([...read.readPart('4 May 2027').values]).toEqual([])
  expect(perValue({ words: days, requirement: fields, listing: 'Days', now })).toHaveLength(1)
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

test.each<[string, string]>([
  ['what is the time in turks and caicos today', 'turks and caicos'],
  ['Local time in Saint Vincent & Grenadines please', 'Saint Vincent & Grenadines'],
  ['time in Argyll and Bute', 'Argyll and Bute'],
  ['Local time in Svalbard and Jan Mayen', 'Svalbard and Jan Mayen'],
])('a name of a place with "and" in it is one place: %s', (words, place) => {
  expect(inputsOf(words, city)).toEqual([{ city: place }])
})

test.each([
  'Local time for my cousin Tom & his wife in Madrid',
  'What time is it for Eve and Max in Oslo?',
  'Tell me the time in Quito. Eve lives in Rome and Max lives in Oslo.',
  'What is the time in Italy, in Bologna?',
])('a second call needs a place of its own that is known, in the same request: %s', words => {
  expect(inputsOf(words, city)).toHaveLength(1)
})

const chart = { key: 'chart', requirement: schema({ csv: text }), listing: 'Bar chart\nDraws a bar chart of a table' }
const amount = {
  amount: { type: 'number', description: 'How much to convert' },
  from: { ...text, description: 'The unit of the amount' },
  to: { ...text, description: 'The unit to convert it to' },
}
const units = { key: 'units', requirement: schema(amount), listing: 'Convert units\nConverts an amount between units' }

test('a row of labelled numbers is the data of one call', () => {
  expect(inputsOf('Draw a bar chart: north 12, south 8, east 30 and west 4', chart)).toHaveLength(1)
  expect(inputsOf('bar chart of tea 3, milk 9 and juice 2', chart)).toHaveLength(1)
})

test('one quantity in two units is no second call, and two quantities are', () => {
  expect(inputsOf('Convert 2 miles and 300 feet to metres', units)).toHaveLength(1)
  expect(inputsOf('Convert 2 miles to metres and 7 feet to metres', units)).toHaveLength(2)
})

test('the words of each call name its own value only, so that a call that is left alone stays one', () => {
  const calls = perValue({ words: 'time in lisbon, oslo and riga?', ...city, now })
  expect(calls.map(it => it.words)).toEqual(['time in lisbon?', 'time in oslo?', 'time in riga?'])
})

test('a task that names what its offering does not do is in no step', () => {
  const asked = 'What time is it in Lima'
  for (const other of ['what is the pollen count there?', 'what is the pollen count in Oslo?']) {
    const steps = readSteps(
      [
        { words: asked, offering: city },
        { words: other, offering: city },
      ],
      now,
    )
    expect(steps.map(it => [it.task, it.parts])).toEqual([[0, []]])
  }
})

const number = { type: 'number' }
const tank = {
  key: 'tank',
  requirement: schema({ length_cm: number, depth_cm: number }),
  listing: 'Tank\nCalculates how many litres a tank holds',
}
const dose = {
  key: 'dose',
  requirement: schema({ weight: { ...number, description: 'Weight in kg' }, height: { ...number, description: 'Height in cm' } }),
  listing: 'Index\nCalculates the body mass index',
}

test.each([
  'One tank has a length of 60 cm and a depth of 40 cm, another a length of 80 cm and a depth of 45 cm. What do they hold?',
  'I have two tanks. The first tank has a length of 60 cm and a depth of 40 cm. The second tank has a length of 80 cm and a depth of 45 cm.',
])('values that are said clause by clause are one call for each record: %s', words => {
  expect(inputsOf(words, tank)).toEqual([
    { length_cm: 60, depth_cm: 40 },
    { length_cm: 80, depth_cm: 45 },
  ])
})

test('a count of records is no value of theirs, and values of one record stay one call', () => {
  const said =
    'The first of three runners weighs 70 kg and is 180 cm tall, the second 60 kg and 165 cm tall, the third 80 kg and 190 cm tall.'
  expect(inputsOf(said, dose).map(it => it.weight)).toEqual([70, 60, 80])
  expect(inputsOf('Ann weighs 61 kg, is 168 cm tall and is 30 years old. What is her index?', dose)).toHaveLength(1)
})

test('what three or more words list for an input of one is a call each, and a clause behind them is none of them', () => {
  const metal = { key: 'metal', requirement: schema({ metal: text }), listing: 'Price\nTells the price of a precious metal' }
  const said = 'What is the price per ounce of gold, silver, and platinum, and can you also add a short note?'
  expect(inputsOf(said, metal).map(it => it.metal)).toEqual(['gold', 'silver', 'platinum'])
})

test('numbers that are listed for one input are a call each, and those that two inputs share are one', () => {
  const number = { type: 'number' }
  const loan = {
    key: 'loan',
    requirement: schema({ amount: number, years: number }),
    listing: 'Loan\nCalculates the rate of a loan',
  }
  expect(inputsOf('Calculate the rate of a loan with an amount of 9000 and years of 5, 10 and 15', loan)).toEqual(
    [5, 10, 15].map(years => ({ amount: 9000, years })),
  )
})

test('sentences that count their tasks are cut there, and what stands between belongs to the task before', () => {
  const words = readTasks(
    'Can you help me? First, I wonder about a book. Could you look it up? Second, I plan a trip. It starts in Rome. Lastly, I need a logo.',
  ).map(it => it.words)
  expect(words).toHaveLength(3)
  expect(words[1]).toMatch(/^I plan a trip\. It starts in Rome\.?$/)
})

test('what is said with each time is of that time, and titles behind a plural are a call each', () => {
  const alarm = {
    ...city,
    requirement: schema({ text, time: { type: 'string', description: 'HH:MM' } }),
    listing: 'Reminder\nReminds of a text',
  }
  expect(inputsOf('Remind me at 06:15 to milk the goats and at 17:40 to shut the gate.', alarm)).toEqual([
    { text: 'milk the goats', time: '06:15' },
    { text: 'shut the gate', time: '17:40' },
  ])
  const review = { ...city, requirement: schema({ title: text }), listing: 'Review\nReviews a play' }
  expect(inputsOf('Reviews of Ashfall, Driftwood and Harbour', review)).toHaveLength(3)
  expect(inputsOf('a review of Salt, Pepper and Oil', review)).toHaveLength(1)
})

test('a text that asks for one thing of all its values, or takes some of them back, is one call', () => {
  const loan = { ...city, requirement: schema({ amount: { type: 'number' } }), listing: 'Loan\nTells what a loan costs' }
  expect(inputsOf('the cost of loans of 900 and 700', loan)).toHaveLength(2)
  expect(inputsOf('the cost of loans of 900 and 700 together', loan)).toHaveLength(1)
  expect(inputsOf('the cost of loans of 900 and 700, all in one', loan)).toHaveLength(1)
  expect(inputsOf('time in Oslo and in Rome, but we settled on Lima', city)).toHaveLength(1)
  expect(inputsOf('time in Oslo? No, hang on, in Rome and Lima', city)).toHaveLength(1)
})

test('a sentence that only announces what the next one does is part of its step', () => {
  const fields = schema({ lease_amount: { type: 'number', description: 'amount of the lease' }, years: { type: 'number' } })
  const lease = { key: 'lease', requirement: fields, listing: 'Lease\nTells what a lease of a field costs' }
  const said = ['Ann leases two fields.', 'The lease of one is 900 for 4 years.', 'The lease of the other is 700 for 3 years.']
  const steps = readSteps(
    said.map(words => ({ words, offering: lease })),
    now,
  )
  expect(steps.map(({ parts, input }) => ({ parts, input }))).toEqual([
    { parts: [0], input: { lease_amount: 900, years: 4 } },
    { parts: [], input: { lease_amount: 700, years: 3 } },
  ])
})
