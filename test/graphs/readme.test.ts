import { expect, test } from 'vitest'
import { blockOf, blocks, drawing, readReadme } from '../readme.ts'

const advice = 'run: node test/readme.ts'

test('the drawing of the graph is the same every time', async () => {
  expect(await drawing()).toBe(await drawing())
})

test.each(['graph', 'moves'] as const)('the README shows the %s as the code has it', async name => {
  const block = (await blocks())[name]
  expect(blockOf(await readReadme(), name).inside, advice).toBe(block)
})

test('a README without its markers is refused and not guessed at', () => {
  expect(() => blockOf('# Market', 'graph')).toThrow('<!-- graph -->')
  expect(() => blockOf('<!-- /graph --> <!-- graph -->', 'graph')).toThrow(RangeError)
  expect(blockOf('a <!-- graph -->old<!-- /graph --> b', 'graph').replace('new')).toBe('a <!-- graph -->\nnew\n<!-- /graph --> b')
})
