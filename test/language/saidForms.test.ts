import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { fillRequest } from '../../src/language/filling/fillRequest.ts'
import { findLeftOut } from '../../src/language/filling/leftOut.ts'
import { findTimes } from '../../src/language/forms/times.ts'
import { understand } from '../../src/language/rules/understand.ts'

const now = Date.UTC(2026, 10, 27, 9)
const day = { type: 'string', format: 'date' }
const texts = { type: 'array', items: { type: 'string' }, minItems: 1 }

type Of = { properties: JsonObject; required?: string[]; known?: JsonObject }
const read = (text: string, { properties, required = Object.keys(properties), known }: Of) =>
  fillRequest({
    ...{ text, now, listing: 'Work\nDoes the work.' },
    requirement: { type: 'object', required, properties },
    ...(known && { known }),
  }).values

test('a list about which nothing is known takes the values of the one form that is said', () => {
  const list = { entries: texts }
  expect(read('test thes pls:\n- ada@byron.example\n- joe@lumen.example', { properties: list })).toEqual({
    entries: ['ada@byron.example', 'joe@lumen.example'],
  })
  // The field for that form goes first.
  const one = { ...list, email: { type: 'string', format: 'email' } }
  expect(read('tea and cake, tell ada@byron.example', { properties: one })).toMatchObject({ email: 'ada@byron.example' })
})

test('names that no dictionary has fill a list of names, and an ending is one of its choices', () => {
  const properties = { names: texts, endings: { type: 'array', items: { type: 'string', enum: ['com', 'eu', 'io'] } } }
  expect(read('is brixolan or velumora taken as .eu?', { properties })).toEqual({
    names: ['brixolan', 'velumora'],
    endings: ['eu'],
  })
})

test('how many times larger is said by "by", by an x, and by times', () => {
  const properties = { factor: { type: 'integer', enum: [2, 3, 4] } }
  for (const said of ['enlarge https://pics.example/7.png by 3', 'upscale it x3', 'blow it up 3x', 'make it 3 times larger'])
    expect([said, read(said, { properties })]).toEqual([said, { factor: 3 }])
  expect(findTimes('please be there by 3')).toHaveLength(1)
})

test('a clock in the description makes a field one for a time, and a day until which goes to the last day', () => {
  const clock = { start: { type: 'string', description: 'Not earlier than, HH:MM' } }
  expect(read('but not before 8:15', { properties: clock })).toEqual({ start: '08:15' })
  const due = { due_date: day }
  expect(read('payable until 2027-02-01', { properties: due, required: [] })).toEqual({ due_date: '2027-02-01' })
})

test('a portion of something is one item of a list', () => {
  const properties = { foods: texts }
  expect(read('eggs, a jar of olives, half a loaf of bread', { properties })).toEqual({
    foods: ['eggs', 'jar of olives', 'half a loaf of bread'],
  })
})

test('to whom a letter goes is the name behind the letter', () => {
  const properties = {
    recipient: { type: 'string', description: 'To whom it goes' },
    tone: { type: 'string', enum: ['warm', 'firm'] },
  }
  expect(read('a warm letter to Mrs Ludlow about the fence', { properties })).toEqual({ recipient: 'Mrs Ludlow', tone: 'warm' })
})

const journey = {
  properties: { from: { type: 'string', description: 'Station' }, to: { type: 'string', description: 'Station' }, date: day },
  known: { from: 'Turin', to: 'Parma', date: '2026-12-01' },
}
test('a place alone is where a journey goes, whatever is said of the rest', () => {
  for (const said of ['oh I meant Padua. the rest stays', 'sorry, Padua, everything else is the same'])
    expect([said, read(said, journey)]).toEqual([said, { ...journey.known, to: 'Padua' }])
})

test('the way back swaps the ends, on its own day', () => {
  const back = { from: 'Parma', to: 'Turin', date: '2026-12-05' }
  expect(read('and the way back on 2026-12-05', journey)).toEqual(back)
  expect(read('now the return train on 5 December', journey)).toEqual(back)
  // An offering that takes the day of the return keeps the ends.
  const { properties, known } = journey
  const both = { properties: { ...properties, return_date: day }, required: ['from', 'to', 'date'], known }
  expect(read('and the way back on 2026-12-05', both)).toEqual({ ...known, return_date: '2026-12-05' })
})

test('a number beside people counts them', () => {
  const properties = { people: { type: 'integer' }, days: { type: 'integer' } }
  expect(read('sorry 5, my brother comes along', { properties, known: { people: 4, days: 7 } })).toEqual({ people: 5, days: 7 })
})

test('an address alone is work for somebody', () => {
  expect(understand('is https://shop.example up?').intent).toBe('task')
  expect(understand('is it up?').intent).toBe('help')
})

test('an amount in two units is one, and what is to be repeated is not left out silently', () => {
  const kilos = { weight_kg: { type: 'number' } }
  expect(read('a dog of 3 stone 4 pounds', { properties: kilos })).toEqual({ weight_kg: 20.8652 })
  expect(read('a sack of 2 kg 300 g', { properties: kilos })).toEqual({ weight_kg: 2.3 })
  const requirement = { type: 'object', required: ['url'], properties: { url: { type: 'string', format: 'uri' } } }
  const said = ['load https://shop.example every hour']
  expect(
    findLeftOut({ said, requirement, values: { url: 'https://shop.example' }, listing: 'Load\nLoads a page.', now }),
  ).toEqual(['every hour'])
})

test('of two choices in a story, the one in the sentence with the wish is meant', () => {
  const mode = { mode: { type: 'string', enum: ['road', 'rail', 'sea'] } }
  expect(read('The tea comes by sea. What I need is the last part, by rail. It is not far.', { properties: mode })).toEqual({
    mode: 'rail',
  })
})
