import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replay } from '../../graphs/butler/history/replay.ts'
import { openScriptedMarket } from '../../graphs/studio/market.ts'
import { history } from '../../src/domain/runs/history.ts'
import { createRules } from '../../src/language/reader/rules.ts'
import { readerDir } from '../reader.ts'

const folder = join(import.meta.dirname, 'histories')
const files = globSync('*.json', { cwd: folder }).sort()
const read = async (file: string) => history.parse(JSON.parse(await readFile(join(folder, file), 'utf8')))
const shape = openScriptedMarket(createRules({ dir: readerDir }))

test('hires that were settled and refunded are among the stored histories', () => {
  expect(files).toEqual(expect.arrayContaining(['refunded.json', 'settled.json']))
})

test.each(files)('the stored history %s of a real hire, run against this code, makes the same decisions', async file => {
  const stored = await read(file)
  expect(await replay(stored, shape)).toEqual({ kind: 'same', steps: stored.steps.length })
})

test('a replay says where a history is incomplete, and calls nothing after that the same', async () => {
  const whole = await read('settled.json')
  const { steps } = whole
  expect(await replay({ ...whole, steps: steps.toSpliced(3, 1) }, shape)).toMatchObject({ kind: 'incomplete', step: 5 })
  const [first, second] = steps
  if (!first || !second) throw new Error('the history is too short')
  const calls = second.calls.map(({ port }) => ({ port, args: [], is_cut: true as const }))
  const cutCalls = { ...whole, steps: steps.with(1, { ...second, calls }) }
  expect(await replay(cutCalls, shape)).toEqual({ kind: 'incomplete', step: 2, node: 'search' })
  const cutStep = { ...whole, steps: steps.with(1, { ...second, calls: [], update: {}, is_cut: true as const }) }
  expect(await replay(cutStep, shape)).toEqual({ kind: 'incomplete', step: 2, node: 'search' })
})

test('a replay does not take a shorter or a longer run for the same', async () => {
  const whole = await read('settled.json')
  const { steps } = whole
  const last = steps.at(-1)
  if (!last) throw new Error('the history is empty')
  expect(await replay({ ...whole, steps: steps.slice(0, -1) }, shape)).toMatchObject({
    kind: 'different',
    difference: { node: 'reply', field: 'node' },
  })
  const more = { ...last, step: last.step + 1, node: 'answer' }
  expect(await replay({ ...whole, steps: [...steps, more] }, shape)).toMatchObject({
    kind: 'different',
    difference: { node: 'answer', field: 'node', now: 'the run has ended' },
  })
  // A run that waits for its user is compared up to there.
  const waits = steps.findIndex(it => it.given !== undefined && it.step > 1)
  expect(await replay({ ...whole, steps: steps.slice(0, waits) }, shape)).toEqual({ kind: 'same', steps: waits })
})
