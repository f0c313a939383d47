import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'

test('an own model server without the name of its model is refused in words', () => {
  expect(() => readConfig({ MODEL_BASE_URL: 'http://127.0.0.1:11434/v1' })).toThrow('MODEL must name')
  expect(() => readConfig({ MODEL_BASE_URL: 'http://127.0.0.1:11434/v1', MODEL: '' })).toThrow('MODEL must name')
  const model = readConfig({ MODEL_BASE_URL: 'http://127.0.0.1:11434/v1', MODEL: 'llama3' }).model
  expect(model).toMatchObject({ provider: 'openai-compatible', model: 'llama3' })
})

test('a value that does not fit is refused by its name, and never repeated', () => {
  expect(() => readConfig({ MASTER_KEY: 'hunter2' })).toThrow(/MASTER_KEY(?!.*hunter2)/)
})
