import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { demoAgents } from '../../docs/examples/agents/agents.ts'
import { demoHandles } from '../../src/domain/agents/localAgents.ts'
import { checkDeliverable } from '../../src/domain/schemas/schema.ts'
import { kindOf } from '../../src/web/result/kinds.ts'
import { platformOfTest } from './agents.ts'

const reply = z.object({ content: z.string().transform(it => JSON.parse(it)) })

const open = async (handle: (typeof demoHandles)[number]) => {
  const options = { platformUrl: (await platformOfTest()).url, credential: { token: 'a.b.c' }, pollPauseMs: 2 }
  const { url, stop } = await demoAgents[handle](options).start()
  onTestFinished(stop)
  const ask = async (fields: object | string): Promise<unknown> => {
    const message = typeof fields === 'string' ? fields : JSON.stringify(fields)
    return reply.parse(await (await fetch(`${url}/invoke`, { method: 'POST', body: JSON.stringify({ message }) })).json()).content
  }
  const card = async () =>
    z
      .object({
        jobOfferings: z.array(
          z.looseObject({
            deliverable: z.record(z.string(), z.json()),
            examples: z.array(z.string()),
            tags: z.array(z.string()),
            sample: z.string(),
          }),
        ),
      })
      .parse(await (await fetch(`${url}/.well-known/agent-card.json`)).json()).jobOfferings
  return { ask, card }
}

test.each(demoHandles)('%s shows examples, tags and a sample on each of its offerings', async handle => {
  const { card } = await open(handle)
  for (const offering of await card()) {
    expect([offering.examples.length, offering.tags.length]).toEqual([
      expect.toSatisfy(it => it > 0),
      expect.toSatisfy(it => it > 0),
    ])
    expect(offering.sample.length).toBeLessThan(8_192)
    if (offering.sample.startsWith('{')) expect(checkDeliverable(offering.deliverable, offering.sample).errors).toEqual([])
  }
})

test('measures are converted, and an impossible conversion says so', async () => {
  const { ask } = await open('demo-units')
  expect(await ask({ amount: 12, from: 'feet', to: 'metres' })).toMatchObject({ result: 3.6576, unit: 'metres' })
  expect(await ask({ amount: 72, from: '°F', to: '°C' })).toMatchObject({ result: 22.2222 })
  expect(await ask('Convert 5 lbs to kg')).toMatchObject({ result: 2.26796 })
  expect(await ask({ amount: 1, from: 'zork', to: 'kg' })).toEqual({ error: 'I do not know the unit “zork”.' })
  expect(await ask({ amount: 1, from: 'kg', to: 'hour' })).toHaveProperty('error')
})

test('a table becomes a chart that is one picture, whatever text its names contain', async () => {
  const { ask } = await open('demo-charts')
  const csv = 'month;sales\nJan;12\n<script>alert(1)</script>;19\n"Mar, late";-3'
  const { chart, highest } = z.object({ chart: z.string(), highest: z.string() }).parse(await ask({ csv, kind: 'line' }))
  expect(kindOf(chart)).toMatchObject({ kind: 'picture', type: 'svg' })
  expect(chart).not.toContain('<script')
  expect(highest).toBe('<script>alert(1)</script>: 19')
  expect(await ask({ csv: 'month,sales Jan,12 Feb,19' })).toMatchObject({ highest: 'Feb: 19' })
  expect(await ask({ csv: 'Jan 10, Feb: 20, late Mar 15' })).toMatchObject({ highest: 'Feb: 20' })
  expect(await ask({ csv: 'no numbers\nhere' })).toHaveProperty('error')
})

test('a text becomes a QR code if it is short enough', async () => {
  const { ask } = await open('demo-qr')
  expect(await ask('https://example.com/menu')).toMatchObject({
    code: expect.stringMatching(/^<svg/),
    says: 'https://example.com/menu',
  })
  expect(await ask({ link: 'x'.repeat(1_001) })).toEqual({ error: 'That is too long: at most 1000 bytes fit.' })
})

test('notes become a page in which HTML stays text and only web addresses are links', async () => {
  const { ask } = await open('demo-pages')
  const markdown = '# Notes\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](https://example.com)'
  const { page, title } = z.object({ page: z.string(), title: z.string() }).parse(await ask({ markdown }))
  expect(title).toBe('Notes')
  expect(page).toContain('<a href="https://example.com">b</a>')
  expect(page).not.toMatch(/<img|javascript:/)
})

test('two texts are compared line by line', async () => {
  const { ask } = await open('demo-compare')
  const changes = { changes: expect.stringContaining('-b\n+c'), added: 1, removed: 1 }
  expect(await ask({ before: 'a\nb\n', after: 'a\nc\n' })).toMatchObject(changes)
  expect(await ask({ before: 'a', after: 'a' })).toEqual({ changes: '', added: 0, removed: 0 })
  expect(await ask({ before: 'a' })).toHaveProperty('error')
})

test('passwords differ each time and have the requested number of words or characters', async () => {
  const { ask } = await open('demo-passwords')
  const made = z.object({ password: z.string(), strength: z.string() })
  const [one, other] = [made.parse(await ask({ words: 5 })), made.parse(await ask({ words: 5 }))]
  expect(one.password).toMatch(/^([a-z]{4,7}-){5}\d\d$/)
  expect(one.password).not.toBe(other.password)
  expect(Number.parseInt(one.strength, 10)).toBeGreaterThan(55)
  const plain = made.parse(await ask({ characters: 20, symbols: false }))
  expect(plain.password).toMatch(/^[A-Za-z2-9]{20}$/)
})

test('an appointment becomes a calendar file in the local time of its place', async () => {
  const { ask } = await open('demo-calendar')
  const { calendar } = z
    .object({ calendar: z.string() })
    .parse(await ask({ title: 'Dinner; late', start: '2026-12-01 19:30', minutes: 90, place: 'Mill Lane 12' }))
  expect(kindOf(calendar)).toMatchObject({
    kind: 'calendar',
    entries: [{ name: 'Dinner; late', at: '2026-12-01T19:30', place: 'Mill Lane 12' }],
  })
  expect(calendar).toContain('DTEND:20261201T210000')
  expect(await ask({ title: 'When?', start: 'tomorrow' })).toHaveProperty('error')
})

test.each([
  ['a table with tabs', 'Month\tSales\tCost\nJan\t1,200\t300\nFeb\t1,350\t-20', 'Feb: 1350'],
  ['a list with semicolons', 'apples 1,200; pears 1,350; plums 900', 'pears: 1350'],
  ['a list with commas', 'Mon 4, Tue 9, Wed 7', 'Tue: 9'],
  ['a table with commas', 'month,sales\nJan,12\nFeb,19', 'Feb: 19'],
])('a chart of %s shows the numbers that were written', async (_name, csv, highest) => {
  const { ask } = await open('demo-charts')
  expect(await ask({ csv })).toMatchObject({ highest })
})

test('a password of a length that is not offered is refused, and not one of another length sold', async () => {
  const { ask } = await open('demo-passwords')
  for (const fields of [{ characters: 200 }, { characters: 0 }, { characters: -5 }, { words: 99 }])
    expect(await ask(fields)).toMatchObject({ error: expect.stringContaining('8 to 64 characters') })
})
