import { expect, test } from 'vitest'
import { mergeValues } from '../../graphs/butler/call/merge.ts'
import { checkValues } from '../../graphs/butler/call/values.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import type { TurnCall } from '../../src/domain/runs/turnCall.ts'
import { toForm } from '../../src/domain/schemas/plainInput.ts'

const dated = { type: 'object', properties: { date: { type: 'string', format: 'date' } } }
const readings = { concluded: ['date'], asked: [], language: 'es' }

test('a date that a model concludes replaces one that the rules only keep, and not one that they read', () => {
  const known = { date: '2026-11-24' }
  const model = { date: '2026-11-28' }
  expect(mergeValues(dated, { ...readings, rules: known, model, known }, ['mejor el sábado'])).toEqual(model)
  const rules = { date: '2026-11-29' }
  expect(mergeValues(dated, { ...readings, rules, model, known }, ['on Sunday'])).toEqual(rules)
})

const call = (input: JsonObject, inferred: TurnCall['inferred'] = []) => ({ input, inferred }) as TurnCall
const words = (said: string, before = '') => ({ said, before, known: {}, restore: (text: string) => text })

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
    ...{ input: { month: '2027-03' }, concluded: ['month'], evidence: ['March next year'] },
  })
  expect(checkValues(given, { ...form, required: ['diet'] }, said).concluded).toEqual(['diet', 'month'])
})
