import { expect, test } from 'vitest'
import { asksForText, namesField } from '../../src/language/fields/askedField.ts'

const form = (type: string, more: object = {}) => ({ type, description: '', ...more })

test.each([
  ['text', form('string'), true],
  ['source_text', form('string'), true],
  ['city', form('string'), false],
  ['text', form('integer'), false],
  ['text', form('string', { enum: ['short', 'long'] }), false],
  ['document', form('string', { format: 'uri' }), false],
])('a question asks for a text by the name and the form of its field: %s %j', (field, of, asks) => {
  expect(asksForText({ field, words: '', form: of })).toBe(asks)
})

const requirement = { type: 'object', properties: { target_language: { type: 'string' }, city: { type: 'string' } } }

test.each([
  ['city: Oslo', true],
  ['City = Oslo', true],
  ['target language: French', true],
  ['"target_language": French', true],
  ['weather: Oslo', false],
  ['the city: Oslo', false],
  ['city https://city.example', false],
])('a value after the name of its field is recognised: %s', (message, names) => {
  expect(namesField(requirement, message)).toBe(names)
})
