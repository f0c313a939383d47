import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createApartRules } from '../../src/language/reader/apartRules.ts'
import { createRules } from '../../src/language/reader/rules.ts'
import { readerDir } from '../reader.ts'

const [rules, here] = [createApartRules({ dir: readerDir }), createRules({ dir: readerDir })]
const now = Date.UTC(2026, 5, 1)
const form = (count: number) => ({
  type: 'object',
  required: ['city'],
  properties: {
    city: { type: 'string' },
    ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`number_${at}`, { type: 'number' }])),
  },
})
const listing = (at: number) => ({
  ...{ name: `Weather ${at}`, description: 'Tells the weather of a city.', price: '1', slaMinutes: 5, coverage: 0.5, score: 0.5 },
  requirement: form(20),
})

test('a long request is read in another thread with the same result', async () => {
  const said = ['Tell me the weather of the city of Berlin. ', 'The background is long. '.repeat(400)]
  const of = { said: [said.join('')], requirement: form(3), now }
  const filled = await rules.fill(of)
  expect(filled).toMatchObject({ city: 'Berlin' })
  expect(filled).toEqual(await here.fill(of))
  const choice = { task: said.join(''), listings: Array.from({ length: 12 }, (_, at) => listing(at)) }
  expect(await rules.choose(choice)).toEqual(JSON.parse(JSON.stringify(await here.choose(choice))))
})

test('what takes too long to read leaves its inputs to be asked for, and listings are compared without theirs', async () => {
  const late = createApartRules({ dir: readerDir, maxMs: 1 })
  const long = `Tell me the weather of the city of Berlin. ${'The background is long. '.repeat(1_000)}`
  expect(await late.fill({ said: [long], requirement: form(60), now })).toEqual({})
  const { picks } = await late.choose({ task: long, listings: Array.from({ length: 24 }, (_, at) => listing(at)) })
  expect(picks.length).toBeGreaterThan(0)
  expect(await late.fill({ said: ['Tell me the weather of Berlin'], requirement: form(1), now })).toMatchObject({
    city: 'Berlin',
  })
})

test('a process that reads a long text waits for it, and ends by itself', async () => {
  const module = new URL('../../src/language/reader/apartRules.ts', import.meta.url)
  const program = `
    import { createApartRules } from ${JSON.stringify(module.href)}
    const read = await createApartRules({ dir: ${JSON.stringify(readerDir)} }).fill(${JSON.stringify({
      ...{ said: [`Tell me the weather of Berlin. ${'The background is long. '.repeat(400)}`], requirement: form(3), now },
    })})
    console.log(JSON.stringify(read))
  `
  const ended = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { timeout: 30_000 })
  expect(JSON.parse(ended.stdout)).toMatchObject({ city: 'Berlin' })
}, 40_000)
