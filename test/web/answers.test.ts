import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toForm } from '../../src/domain/runs/question.ts'
import { fieldsOf } from '../../src/domain/schemas/schema.ts'
import { fillSaid } from '../../src/language/filling/fillSaid.ts'
import { toAnswer, toShown } from '../../src/web/fields/answers.ts'

const requirement = {
  type: 'object',
  required: ['city', 'nights'],
  properties: {
    city: { type: 'string', description: 'Where to stay' },
    nights: { type: 'integer', minimum: 1, maximum: 30 },
    check_in: { type: 'string', format: 'date' },
    in: { type: 'string' },
    board: { type: 'string', enum: ['none', 'breakfast', 'half board'] },
    level: { type: 'integer', enum: [1, 2, 3] },
    balcony: { type: 'boolean' },
    text: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    budget: { type: 'number', description: 'Most to pay, in USDC' },
  },
}
const questions = fieldsOf(requirement).map(it => ({ field: it.name, words: '', form: toForm(requirement, it) }))
const ask = (values: Record<string, string>) =>
  toAnswer(
    questions.filter(it => it.field in values),
    values,
  )
const read = (message: string) => fillSaid({ said: ['Book me a room', message], requirement, now: Date.UTC(2026, 0, 5) })

test('answers in a form become one readable message', () => {
  expect(ask({ city: 'London', nights: '3' })).toContain('city: London, nights: 3')
  expect(toShown(ask({ board: 'half board' }))).toBe('board: half board')
  expect(toShown(ask({ city: 'London, UK', nights: '3' }))).toBe('city: London, UK\nnights: 3')
})

test.each([
  [
    { city: 'London', nights: '3' },
    { city: 'London', nights: 3 },
  ],
  [{ balcony: 'false' }, { balcony: false }],
  [
    { check_in: '2026-12-01', board: 'half board' },
    { check_in: '2026-12-01', board: 'half board' },
  ],
  [
    { level: '2', balcony: 'true' },
    { level: 2, balcony: true },
  ],
  [{ budget: '0.5' }, { budget: 0.5 }],
  [{ tags: 'quiet\nwith a view, please' }, { tags: ['quiet', 'with a view, please'] }],
  [{ text: 'Dear {city},\nnights: 7, "city" is Rome. Cheaper!' }, { text: 'Dear {city},\nnights: 7, "city" is Rome. Cheaper!' }],
])('the rules parse the answers %j', (values, wanted) => {
  expect(read(ask(values))).toMatchObject(wanted)
})

test('the rules parse every answer as it was typed', () => {
  const typed = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter(it => it.trim() !== '')
  const spoken = fc.constantFrom(
    'No',
    'yes',
    'cheaper',
    'Make it Porto',
    'under 5 USDC',
    'never mind',
    'text: x',
    '{',
    '"',
    'in: Rome',
    'a, b',
  )
  fc.assert(
    fc.property(fc.oneof(typed, spoken), fc.oneof(typed, spoken), fc.integer({ min: 1, max: 30 }), (city, text, nights) => {
      expect(read(ask({ city, nights: `${nights}`, text }))).toMatchObject({ city: city.trim(), nights, text })
      expect(read(ask({ text }))).toMatchObject({ text })
      expect(read(ask({ city, nights: `${nights}` }))).toMatchObject({ city: city.trim(), nights })
    }),
  )
})
