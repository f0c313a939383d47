import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { start } from './program.ts'

test.each([
  [['command', '--price', 'abc', '--', 'wc', '-l'], '--price abc is no amount of USDC. Write it as plain decimals: 0.02.'],
  [['command', '--', 'no-such-program-here'], 'There is no program “no-such-program-here” here that could be started.'],
  [['command', '--requirement', 'no-such.json', '--', 'wc', '-l'], 'There is no file no-such.json.'],
  [['openapi', 'no-such.json'], 'There is no file no-such.json.'],
])('what cannot be wrapped is refused in one sentence: %j', async (args, words) => {
  const dir = await mkdtemp(join(tmpdir(), 'wrapping-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const { ended } = start(['agent', 'wrap', ...args.slice(0, 1), '--dry-run', '--file', join(dir, 'list.json'), ...args.slice(1)])
  const { code, out, err } = await ended
  expect([code, out, err.trim()]).toEqual([1, '', words])
})

test('a later start without a name sells what its price list sells, so that no waiting job is refused', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'wrapping-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const file = join(dir, 'list.json')
  const sold = { price: '0.04', name: 'Count lines', description: 'Counts lines' }
  const list = { handle: 'counter', name: 'Count lines', description: 'Counts lines', offerings: { 'Count lines': sold } }
  await writeFile(file, JSON.stringify(list))
  const { ended } = start(['agent', 'wrap', 'command', '--dry-run', '--file', file, '--stdin', 'text', '--', 'wc', '-l'])
  const { code, out } = await ended
  expect([code, out.includes('"id": "Count lines"'), out.includes('"name": "wc"')]).toEqual([0, true, false])
})
