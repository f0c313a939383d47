import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAuroc, toFigures } from './figures.ts'

const run = promisify(execFile)
const main = new URL('main.ts', import.meta.url).pathname
const evaluate = (...args: string[]) => run(process.execPath, [main, ...args])
let dir = ''

const lines = (rows: unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')
const offerings = [
  { id: 'clock', name: 'World clock', description: 'Tells the current time in any city' },
  { id: 'summary', name: 'Text summary', description: 'Makes articles short' },
]
const queries = [
  { id: 'q1', text: 'time in Lisbon', relevant: ['clock'], kind: 'single' },
  { id: 'q2', text: 'painting of a horse', relevant: ['summary'], kind: 'single' },
  { id: 'q3', text: 'a clock and a summary', relevant: ['clock', 'summary'], kind: 'multi' },
  { id: 'q4', text: 'walk the dog', relevant: [], kind: 'none' },
]

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'eval-test-'))
  await mkdir(join(dir, 'tiny'))
  await writeFile(join(dir, 'tiny', 'offerings.jsonl'), lines(offerings))
  await writeFile(join(dir, 'tiny', 'queries.jsonl'), lines(queries))
  await writeFile(join(dir, 'catalogue-2.jsonl'), lines(offerings))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('the command prints a row for each set and, on request, one JSON object last', async () => {
  const { stdout } = await evaluate('--data', dir, '--json')
  const printed = stdout.trim().split('\n')
  expect(printed[0]).toMatch(/^set\s+n\s+r1/)
  const { tiny } = JSON.parse(printed.at(-1) ?? '')
  expect(tiny).toMatchObject({ n: 4, r1: 0.5, r5: 0.5, r10: 0.5, ndcg10: 1, all10: 1 })
  expect(tiny.none_auroc).toBeCloseTo(5 / 6)
  expect(tiny.p95_ms).toBeGreaterThan(0)
})

test('a catalogue is measured by query latency and by the delay until a change is found', async () => {
  const { stdout } = await evaluate('--data', dir, '--set', 'catalogue-2', '--json')
  const figures = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')['catalogue-2']
  expect(figures).toMatchObject({ n: 2, p50_ms: expect.any(Number), fresh_max_ms: expect.any(Number) })
})

test('without data the command says so and exits with code 2', async () => {
  await expect(evaluate('--data', join(dir, 'nowhere'))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nowhere'),
  })
  await expect(evaluate()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('--data') })
})

test('the figures match their definitions', () => {
  expect(toAuroc([3, 2], [1])).toBe(1)
  expect(toAuroc([1], [1])).toBe(0.5)
  expect(toAuroc([1, 3], [2])).toBe(0.5)
  const asked = { kind: 'single', relevant: 2, sureness: 1, tookMs: 1 } as const
  expect(toFigures([{ ...asked, hits: [false, true, true] }])).toMatchObject({ r1: 0, r5: 1, none_auroc: null, all10: null })
  expect(toFigures([{ ...asked, hits: [false, true, true] }]).ndcg10).toBeCloseTo(1 / Math.log2(3))
  expect(toFigures([{ ...asked, kind: 'multi', hits: [true, false] }])).toMatchObject({ all10: 0, r1: null })
})
