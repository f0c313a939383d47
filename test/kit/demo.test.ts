import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { zones } from '../../docs/examples/agents/cities.ts'
import { cityClock } from '../../docs/examples/agents/cityClock.ts'
import { extractKeywords, summarize } from '../../docs/examples/agents/digest.ts'
import { findPlace, toLocalTime } from '../../docs/examples/agents/localTime.ts'
import { textDigest } from '../../docs/examples/agents/textDigest.ts'
import type { Agent } from '../../src/kit/kit.ts'
import { platformOfTest } from './agents.ts'

const summer = Date.UTC(2026, 6, 1, 12)
const winter = Date.UTC(2026, 0, 15, 12)

const options = async () => ({ platformUrl: (await platformOfTest()).url, credential: { token: 'a.b.c' }, pollPauseMs: 2 })
const reply = z.object({ content: z.string().transform(it => JSON.parse(it)) })

/** Returns a function that calls a demo agent over HTTP. */
const asking = async (agent: Agent) => {
  const { url, stop } = await agent.start()
  onTestFinished(stop)
  return async (message: string): Promise<unknown> => {
    const answer = await fetch(`${url}/invoke`, { method: 'POST', body: JSON.stringify({ message }) })
    return reply.parse(await answer.json()).content
  }
}

test('the clock applies daylight saving time, and offsets that are not whole hours', () => {
  expect(toLocalTime('Europe/Berlin', summer)).toEqual({ local_time: '2026-07-01T14:00:00+02:00', utc_offset: '+02:00' })
  expect(toLocalTime('Europe/Berlin', winter)).toEqual({ local_time: '2026-01-15T13:00:00+01:00', utc_offset: '+01:00' })
  expect(toLocalTime('Asia/Tokyo', summer).local_time).toBe('2026-07-01T21:00:00+09:00')
  expect(toLocalTime('Asia/Kathmandu', summer)).toEqual({ local_time: '2026-07-01T17:45:00+05:45', utc_offset: '+05:45' })
  expect(toLocalTime('UTC', summer).utc_offset).toBe('+00:00')
})

test('the local time is the same instant in every zone', () => {
  const instants = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2090, 0) }).map(ms => Math.floor(ms / 1000) * 1000)
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(zones)),
      instants,
      (zone, ms) => Date.parse(toLocalTime(zone, ms).local_time) === ms,
    ),
  )
})

test('the clock answers every form of the question', async () => {
  const ask = await asking(cityClock({ ...(await options()), now: () => summer }))
  const tokyo = { city: 'Tokyo', timezone: 'Asia/Tokyo', local_time: '2026-07-01T21:00:00+09:00', utc_offset: '+09:00' }
  for (const text of [
    '{"city":"tokyo"}',
    'Tokyo',
    'What time is it in Tokyo?',
    "Local time in a city where topic is 'Tokyo, Japan'",
  ])
    expect(await ask(text)).toEqual(tokyo)
  expect(await ask('{"city":"Asia/Tokyo"}')).toEqual(tokyo)
  expect(await ask('{"city":"Atlantis"}')).toEqual({ error: 'unknown city: Atlantis' })
  expect(await ask('{"town":"Tokyo"}')).toHaveProperty('error')
})

test('a city is found with or without accents, and the longer name takes precedence', () => {
  expect(findPlace('sao paulo')?.timezone).toBe('America/Sao_Paulo')
  expect(findPlace('WROCLAW')?.timezone).toBe('Europe/Warsaw')
  expect(findPlace('now in New York please')?.timezone).toBe('America/New_York')
  expect(findPlace('Nowhere/Land')).toBeUndefined()
  expect(findPlace('asia/kathmandu')).toMatchObject({ timezone: expect.stringMatching(/^asia\/kath?mandu$/i) })
})

test('the table names at least 150 cities, each once, in zones that exist', () => {
  const cities = Object.values(zones).flat()
  expect(new Set(cities).size).toBe(cities.length)
  expect(cities.length).toBeGreaterThanOrEqual(150)
  for (const [zone, names] of Object.entries(zones))
    for (const name of names) expect(findPlace(name)).toEqual({ city: name, timezone: zone })
})

const article = `The harbour of the city opened in 1900. Ships from all over the world came to the harbour.
Today the harbour is a park. My aunt likes tea. Children play where the ships of the world lay, and the city is proud of its harbour!`

test('a summary has at most the requested number of sentences, each byte for byte from the text and in its order', () => {
  const words = fc.constantFrom('Harbour', 'ship', 'the', 'city.', 'world!', 'Why?', 'park\n', '\n\n', 'Über', '日本語。', '…')
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (parts, most) => {
      const text = parts.join(' ')
      const kept = summarize(text, most)
      let from = 0
      for (const sentence of kept) from = text.indexOf(sentence, from) + sentence.length || Number.NaN
      return kept.length <= most && kept.every(it => text.includes(it)) && !Number.isNaN(from)
    }),
  )
})

test('the digest keeps the main topic of the text', () => {
  expect(summarize(article, 4)).not.toContain('My aunt likes tea.')
  expect(extractKeywords(article, 3)).toEqual(['harbour', 'city', 'ships'])
})

test('the digest answers for the offering that the input fits, or for both when it fits both', async () => {
  const ask = await asking(textDigest(await options()))
  const both = await ask(JSON.stringify({ text: article }))
  expect(both).toMatchObject({ sentences: 3, keywords: expect.arrayContaining(['harbour']) })
  expect(Object.keys(Object(await ask(JSON.stringify({ text: article, sentences: 2 }))))).toEqual([
    'summary',
    'sentences',
    'words',
  ])
  expect(await ask(JSON.stringify({ text: article, count: 1 }))).toEqual({ keywords: ['harbour'] })
  expect(await ask(`Extract keywords where topic is '${article}'`)).toHaveProperty('keywords')
  expect(await ask('One sentence. ')).toMatchObject({ summary: 'One sentence.', sentences: 1, words: 2 })
  expect(await ask('{"sentences":2}')).toHaveProperty('error')
})
