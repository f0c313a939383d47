import { expect, test } from 'vitest'
import { splitTasks } from '../../src/language/text/severalTasks.ts'

test.each<[string, string[]]>([
  ['weather in Oslo and weather in Rome', ['weather in Oslo', 'weather in Rome']],
  ['flights to Rome, flights to Oslo', ['flights to Rome', 'flights to Oslo']],
  ['translate hello and summarise my letter', ['translate hello and summarise my letter']],
  ['a poem about bread and butter', ['a poem about bread and butter']],
  ['summarise: time flies and time heals', ['summarise: time flies and time heals']],
])('a part that begins as the message does is a task of its own: %s', (message, tasks) => {
  expect(splitTasks(message)).toEqual(tasks)
})
