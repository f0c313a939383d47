import { expect, test } from 'vitest'
import { readSkipsOfRunning } from '../../../src/language/tasks/planWords.ts'

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
