import { expect, test } from 'vitest'
import { blockOf, blocks, chainSettings, drawing, envExample, readDocument, settings } from './generated.ts'

const advice = 'run: npm run docs'

test('the drawing of the graph is the same every time', async () => {
  expect(await drawing()).toBe(await drawing())
})

test.each(await blocks())('$file shows the current $name of the code', async ({ file, name, content }) => {
  expect(blockOf(await readDocument(file), name).inside, advice).toBe(content)
})

test('.env.example names every setting and its default', async () => {
  expect(await readDocument('.env.example'), advice).toBe(envExample())
})

test.each([...settings, ...chainSettings])('the setting $name has a description', ({ meaning }) => {
  expect(meaning).toMatch(/^.{10,}\.$/s)
})

test('a document without the markers for generated text is refused', () => {
  expect(() => blockOf('# Market', 'graph')).toThrow('<!-- graph -->')
  expect(() => blockOf('<!-- /graph --> <!-- graph -->', 'graph')).toThrow(RangeError)
  expect(blockOf('a <!-- graph -->old<!-- /graph --> b', 'graph').replace('new')).toBe('a <!-- graph -->\nnew\n<!-- /graph --> b')
})
