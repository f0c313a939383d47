import { expect, test } from 'vitest'
import { mergeValues } from '../../graphs/butler/call/merge.ts'
import { checkValues } from '../../graphs/butler/call/values.ts'
import { toTasks } from '../../graphs/butler/turns/begin.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import type { TurnCall } from '../../src/domain/runs/turnCall.ts'
import { toForm } from '../../src/domain/schemas/testInput.ts'

const dated = { type: 'object', properties: { date: { type: 'string', format: 'date' } } }
const readings = { isChange: false, concluded: ['date'], asked: [], language: 'es', days: [] as string[] }

test('a date that a model concludes replaces one that the rules only keep, and not one that they read', () => {
  const known = { date: '2026-11-24' }
  const model = { date: '2026-11-28' }
  expect(mergeValues(dated, { ...readings, rules: known, model, known }, ['mejor el sábado'])).toEqual(model)
  const rules = { date: '2026-11-29' }
  expect(mergeValues(dated, { ...readings, rules, model, known }, ['on Sunday'])).toEqual(rules)
})

test('a day of the month alone keeps the month of the date before, where the model read it so', () => {
  const [rules, model, known] = [{ date: '2026-12-18' }, { date: '2027-02-18' }, { date: '2027-02-17' }]
  expect(mergeValues(dated, { ...readings, rules, model, known }, ['could we have the 18th instead?'])).toEqual(model)
})

test('of several days that code counts in a message, the model chooses, and it chooses no other day', () => {
  const [known, model, rules] = [{ date: '2026-11-29' }, { date: '2026-12-03' }, { date: '2026-11-30' }]
  const said = ['not the day after tomorrow, 2026-12-03 is better']
  expect(mergeValues(dated, { ...readings, rules, model, known, days: ['2026-11-30', '2026-12-03'] }, said)).toEqual(model)
  expect(mergeValues(dated, { ...readings, rules, model, known, days: ['2026-11-30'] }, ['rather 2026-11-30'])).toEqual(rules)
})

test('a message in which a model found another value, or a limit, is no value as a whole', () => {
  const form = { type: 'object', properties: { to: { type: 'string' }, tone: { type: 'string' } }, required: ['to'] }
  const said = ['a letter', 'rather friendly, that gets me further']
  const rules = { to: 'rather friendly, that gets me further' }
  expect(mergeValues(form, { ...readings, rules, model: { tone: 'friendly' }, known: {} }, said)).toEqual({ tone: 'friendly' })
  const known = { to: 'Odile' }
  expect(mergeValues(form, { ...readings, isChange: true, rules, model: {}, known }, said)).toEqual(known)
})

test('other words of the user beside pasted material stay with it', () => {
  const form = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] }
  const notes = 'The moon pulls at the water.\nTwice a day it comes and goes.'
  const said = [`a quiz about tides. The notes say: "${notes}"`]
  const model = { topic: `tides. The notes say: ${notes}` }
  expect(mergeValues(form, { ...readings, rules: { topic: notes }, model, known: {} }, said)).toEqual(model)
})

const call = (input: JsonObject, inferred: TurnCall['inferred'] = []) => ({ input, inferred }) as TurnCall
const words = (said: string, before = '') => ({ said, before, known: {}, last: {}, restore: (text: string) => text })

test('the text of an agent that takes plain text is a value like any other', () => {
  const { input } = checkValues(call({ text: 'a poem about a lighthouse' }), toForm({}), words('write a poem about a lighthouse'))
  expect(input).toEqual({ text: 'a poem about a lighthouse' })
})

test('a month that follows from the words is kept and marked, and of the talk before only what is required', () => {
  const form = { type: 'object', properties: { month: { type: 'string', pattern: '^\\d{4}-\\d{2}$' }, diet: { type: 'string' } } }
  const said = words('a dinner in March next year', 'we are vegan')
  const inferred = [{ field: 'month', from: 'March next year' }]
  const given = call({ month: '2027-03', diet: 'vegan' }, inferred)
  expect(checkValues(given, form, said)).toEqual({
    ...{ input: { month: '2027-03' }, concluded: ['month'], evidence: ['March next year'], refused: ['diet'] },
  })
  expect(checkValues(given, { ...form, required: ['diet'] }, said).concluded).toEqual(['diet', 'month'])
})

test('items of a list that follow from the words are kept where the list has few items, and one is found in any case', () => {
  const tests = { type: 'array', items: { type: 'string', enum: ['ph', 'nitrogen', 'lead'] } }
  const form = { type: 'object', properties: { tests } }
  const spanish = checkValues(
    call({ tests: ['nitrogen', 'lead'] }, [{ field: 'tests', from: 'nitrógeno y plomo' }]),
    form,
    words('analizar nitrógeno y plomo en mi huerto'),
  )
  expect(spanish).toMatchObject({ input: { tests: ['nitrogen', 'lead'] }, concluded: ['tests'] })
  expect(checkValues(call({ tests: ['ph'] }), form, words('test it for pH please')).input).toEqual({ tests: ['ph'] })
})

test('each member of an object in a list is said or follows from the words, and one that does not refuses the list', () => {
  const size = { type: 'string', enum: ['small', 'large'] }
  const dog = {
    type: 'object',
    required: ['name', 'size'],
    properties: { name: { type: 'string' }, size, isSafe: { type: 'boolean' } },
  }
  const form = { type: 'object', properties: { dogs: { type: 'array', items: dog } } }
  const said = words('take Biscuit out, a great dane')
  const dogs = [{ name: 'Biscuit', size: 'large' }]
  const kept = checkValues(call({ dogs }, [{ field: 'dogs.size', from: 'great dane' }]), form, said)
  expect(kept).toMatchObject({ input: { dogs }, concluded: ['dogs'] })
  expect(checkValues(call({ dogs }), form, said).refused).toEqual(['dogs'])
  const ticked = [{ name: 'Biscuit', size: 'large', isSafe: true }]
  expect(checkValues(call({ dogs: ticked }, [{ field: 'dogs', from: 'sheep dog' }]), form, said).input).toEqual({})
})

test('a misspelt name is kept as it was meant, a unit in its short form, and what another hire of the offering took', () => {
  const unit = { type: 'string', enum: ['cup', 'g'] }
  const form = {
    type: 'object',
    properties: { port: { type: 'string' }, unit, season: { type: 'string' }, n: { type: 'integer' } },
  }
  const of = (input: JsonObject, said: string, more = {}) =>
    checkValues(call(input, [{ field: 'season', from: 'season after' }]), form, { ...words(said, 'next three games'), ...more })
  expect(of({ port: 'Whitstable' }, 'hihg tide at whitstabel')).toMatchObject({ concluded: ['port'] })
  expect(of({ port: 'Ramsgate' }, 'hihg tide at whitstabel').input).toEqual({})
  expect(of({ unit: 'g' }, '1 cup of sugar in grams')).toMatchObject({ input: { unit: 'g' }, concluded: [] })
  expect(of({ season: '1995/96' }, 'and the season after that')).toMatchObject({ concluded: ['season'] })
  expect(of({ n: 3 }, 'the same for Hull', { last: { n: 3 } })).toMatchObject({ concluded: ['n'] })
  expect(of({ n: 3 }, 'the same for Hull').input).toEqual({})
})

test('a box that its user may leave out is not ticked by the rules where a model read the message', () => {
  const form = { type: 'object', properties: { job: { type: 'string' }, takeAway: { type: 'boolean' } }, required: ['job'] }
  const [rules, model] = [{ job: 'cut hedge', takeAway: true }, { job: 'hedge' }]
  expect(mergeValues(form, { ...readings, rules, model, known: {} }, ['cut hedge'])).toEqual(model)
})

const story =
  "I am trying to find out when my brother's day begins. We always said the time in Tokyo is awful but nobody knows. " +
  'I think it must be between 3 and 5 there because he left in 2001. Can someone look in the city clocks?'
test.each([
  ['goes over the parts that the rules found', [story.slice(story.indexOf('I think'))], 1],
  ['is one of those parts', ['Can someone look in the city clocks?'], 2],
  ['is none, as without a model', [], 2],
])('a message has the tasks of a model where its only one %s', (_, tasks, count) => {
  expect(toTasks(story, tasks)).toHaveLength(count)
})
