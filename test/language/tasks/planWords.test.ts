import { expect, test } from 'vitest'
import { readSkipsOfRunning, readStepChange } from '../../../src/language/tasks/planWords.ts'

const steps = [
  { values: 'Oslo', words: 'Weather forecast' },
  { values: 'Lima', words: 'Weather forecast' },
  { values: 'Bergen French', words: 'Translate a name' },
]

test.each([
  ['Just the weather in Lima', []],
  ['only Oslo', []],
  ['just 2', [1, 3]],
  ['do the first only', [2, 3]],
  ['drop Lima', [2]],
  ['skip 3', [3]],
])('of a running plan, “%s” leaves out the steps %j', (words, left) => expect(readSkipsOfRunning(words, steps)).toEqual(left))

test.each([
  ['2. city: Quito', { number: 2, words: 'city: Quito' }],
  ['change the city in 2 to Quito', { number: 2, words: 'city: Quito' }],
  ['change Lima to Quito', { number: 2, words: 'change Lima to Quito' }],
  ['change Cuzco to Quito', undefined],
  ['change 2 to 5', undefined],
  ['change Lima to Quito and Oslo to Rome', undefined],
])('of an open plan, “%s” changes the step that has the old value', (words, change) =>
  expect(readStepChange(words, steps)).toEqual(change),
)
