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

test.each<[string, string[]]>([
  ['Two things: sunrise in Cork, and 20 pounds in euros.', ['sunrise in Cork', '20 pounds in euros.']],
  [
    'For Saturday: trains from Crewe to Chester, the weather in Chester',
    ['For Saturday, trains from Crewe to Chester', 'For Saturday, the weather in Chester'],
  ],
  ['In German please: where are you, what do you need', ['In German please: where are you, what do you need']],
  ['A sign: warm bread, get it while it is hot', ['A sign: warm bread, get it while it is hot']],
  ['Proofread this: find the keys, call Bob', ['Proofread this: find the keys, call Bob']],
  ['A reminder for Friday and put it into my calendar', ['A reminder for Friday and put it into my calendar']],
])('a head before a colon counts the tasks behind it, or is said of each of them: %s', (message, tasks) => {
  expect(readTasks(message).map(it => it.words)).toEqual(tasks)
})

test('quoted, fenced and pasted text is never split', () => {
  const letter = 'Dear Ann,\nfind the keys. Then call Bob and book a room.\nYours, Jo'
  for (const message of [
    'Translate "Find the keys. Then call Bob and book a room." into Danish',
    `Translate this:\n\`\`\`\n${letter}\n\`\`\``,
    `Proofread this letter:\n${letter}`,
    'Draw a chart of:\nmonth,sales\nJan,12\nFeb,18\nMay,31',
    'Make a printable page of these notes: # Shopping\n- Buy two eggs\n- Call the bank on Monday',
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

test.each<[string, string[]]>([
  [
    'Make a logo, then a flyer of it. Weather in Oslo. Then book a van.',
    ['Make a logo', 'a flyer of it.', 'Weather in Oslo.', 'book a van.'],
  ],
  [
    '1. Weather in Oslo\n2. A map of Riga\n3. 9 yards in metres\n4. 2 pounds in grams',
    ['Weather in Oslo', 'A map of Riga', '9 yards in metres', '2 pounds in grams'],
  ],
  ['Write a limerick about tea, then one about coffee', ['Write a limerick about tea', 'Write a limerick about coffee']],
  ['Draw a poster for Monday and another for Friday', ['Draw a poster for Monday', 'Draw a poster for Friday']],
  ['- a map of Riga\n- 9 yards in metres', ['a map of Riga', '9 yards in metres']],
])('a unit that asks for something, and an item of a list, is a task of its own: %s', (message, tasks) => {
  expect(readTasks(message).map(it => it.words)).toEqual(tasks)
})

test.each([
  'Thanks for Monday! What time is it in Oslo?',
  'Do not pay for anything. Translate my letter.',
  'Good evening! Find a dentist in Bonn.',
  'Proofread my list\n- book a room\n- draw a map of the site\n- call the bank',
  'A booklet of my notes:\n1. Book a room\n2. Draw a map\n3. Find a van',
  'Translate this list:\n1. Book a room\n2. Draw a map\n3. Find a van',
  'Could you shorten this? The roof leaks. Book a roofer. Then call the bank.',
  'We first wanted a sloop in May, then a ketch in June, but settled on a yawl in July.',
  'Draw a map of the harbour, at most 3 USDC in total',
  'Look up the file of the barn that was built in 1910 and burned in 1950',
  'When does the Hall of Wool and Linen open?',
  'Could you also draw a map of the harbour?',
])('greetings, limits, what is not wanted or told of a noun, and a text below its request are no tasks: %s', message => {
  expect(readTasks(message)).toHaveLength(1)
})

test('a noun that says what an earlier task does is its result', () => {
  const tasks = readTasks(
    'Write a song about rain, then translate the song into Dutch, and then make a booklet of the translation',
  )
  expect(tasks.at(-1)?.takes).toEqual([{ from: 1, words: 'the translation' }])
})

test('the weights are those that the examples train; `npm run docs` writes them anew', () => {
  expect(readFileSync(weightsFile, 'utf8') === trainWeights()).toBe(true)
})
