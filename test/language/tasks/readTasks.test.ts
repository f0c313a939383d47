import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readTasks } from '../../../src/language/tasks/readTasks.ts'
import { readExamples } from './examples.ts'
import { trainWeights, weightsFile } from './train.ts'

test.each<[string, string[]]>([
  ['weather in Oslo and the time in Rome', ['weather in Oslo', 'the time in Rome']],
  ['Find a dentist in Bonn. Then book a taxi to the station.', ['Find a dentist in Bonn.', 'book a taxi to the station.']],
  ['1. translate my letter\n2. find a printer in Ulm', ['translate my letter', 'find a printer in Ulm']],
  ['Can you help me? I need a poem about rain.', ['Can you help me? I need a poem about rain.']],
  ['a poem about bread and butter', ['a poem about bread and butter']],
  ['Compare A and B for me', ['Compare A and B for me']],
])('a message is read into its tasks, and one task stays as it was said: %s', (message, tasks) => {
  expect(readTasks(message).map(it => it.words)).toEqual(tasks)
})

test('quoted, fenced and pasted text is never split', () => {
  const letter = 'Dear Ann,\nfind the keys. Then call Bob and book a room.\nYours, Jo'
  for (const message of [
    'Translate "Find the keys. Then call Bob and book a room." into Danish',
    `Translate this:\n\`\`\`\n${letter}\n\`\`\``,
    `Proofread this letter:\n${letter}`,
  ])
    expect(readTasks(message)).toEqual([{ words: message, takes: [] }])
})

test('a task says what it takes from an earlier one, in the words of the user', () => {
  const [, second] = readTasks('Summarise the report and translate the summary into French.')
  expect(second).toEqual({ words: 'translate the summary into French.', takes: [{ from: 0, words: 'the summary' }] })
})

test('each mark of an example stands where a task may begin', () => {
  expect(readExamples().length).toBeGreaterThan(200)
})

test('the weights are those that the examples train; `npm run docs` writes them anew', () => {
  expect(readFileSync(weightsFile, 'utf8') === trainWeights()).toBe(true)
})
