import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { Embeddings, Search } from '../../src/ports.ts'
import { openSearch } from '../../src/search/search.ts'
import { agent, listing } from './listings.ts'
import { startProvider } from './provider.ts'

const clock = { now: () => Date.now() }
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const provide = async () => {
  const provider = await startProvider()
  closing.push(provider.stop)
  return provider
}
const freshDir = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'vectors-'))
  closing.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}
const open = async (dir: string, embeddings: Embeddings) => {
  const search = await openSearch({ dir, clock, embeddings })
  closing.push(search.close)
  return search
}

const clockListing = listing({ id: 'time', name: 'World clock' })
const summary = listing({ id: 'summary', agentId: agent(2), name: 'Text summary' })
const idsFor = async (search: Search, text: string, chainId = 97) =>
  (await search.search({ text, limit: 10, chainId })).map(it => it.offeringId)
const untilFirst = (search: Search, text: string, id: string) =>
  vi.waitFor(async () => expect((await idsFor(search, text))[0]).toBe(id), { timeout: 30_000, interval: 20 })

test('with a provider a listing is also found by meaning, within price and chain, and a removed one never', async () => {
  const provider = await provide()
  const search = await open(await freshDir(), provider.embeddings())
  await search.put([clockListing, summary])
  expect(await idsFor(search, 'clock')).toContain('time')
  await untilFirst(search, 'horology', 'time')
  await untilFirst(search, 'make it short', 'summary')
  expect(await idsFor(search, 'horology', 56)).toEqual([])
  // Coverage is high for a listing of similar meaning, so that selection by coverage accepts it.
  expect((await search.search({ text: 'horology', limit: 1 }))[0]?.coverage).toBeGreaterThan(0.9)
  await search.remove(agent(1))
  expect(await idsFor(search, 'horology')).not.toContain('time')
})

test('listings are embedded in batches, each text once, also after the folder was opened again', async () => {
  const provider = await provide()
  const dir = await freshDir()
  const search = await open(dir, provider.embeddings())
  const many = Array.from({ length: 150 }, (_, n) => listing({ id: `o${n}`, agentId: agent(n + 10), name: `Thing ${n}` }))
  await search.put([...many, clockListing])
  await untilFirst(search, 'horology', 'time')
  const listed = () => provider.requests.map(it => it.input).filter(it => it[0] !== 'horology')
  expect(Math.max(...listed().map(it => it.length))).toBeLessThanOrEqual(64)
  expect(listed().flat().sort()).toEqual([...new Set(listed().flat())].sort())
  expect(listed().flat()).toHaveLength(151)
  await search.close()
  const again = await open(dir, provider.embeddings())
  await untilFirst(again, 'horology', 'time')
  expect(listed().flat()).toHaveLength(151)
})

test('while the provider fails or is silent, words still find listings, and embedding follows later', async () => {
  const provider = await provide()
  const search = await open(await freshDir(), provider.embeddings('first', 200))
  provider.behaviour.fails = true
  await search.put([clockListing])
  expect(await idsFor(search, 'world clock')).toEqual(['time'])
  await vi.waitFor(() => expect(provider.requests.length).toBeGreaterThan(0), { timeout: 30_000 })
  expect(await idsFor(search, 'horology')).toEqual([])
  provider.behaviour.fails = false
  await untilFirst(search, 'horology', 'time')
  provider.behaviour.hangs = true
  expect(await idsFor(search, 'world clock')).toEqual(['time'])
})

test('a change of the model or of the vector size embeds everything again', async () => {
  const provider = await provide()
  const dir = await freshDir()
  const first = await open(dir, provider.embeddings())
  await first.put([clockListing, summary])
  await untilFirst(first, 'horology', 'time')
  await first.close()
  const other = await open(dir, provider.embeddings('second'))
  await untilFirst(other, 'horology', 'time')
  expect(provider.requests.filter(it => it.model === 'second').flatMap(it => it.input)).toEqual(
    expect.arrayContaining([expect.stringContaining('World clock'), expect.stringContaining('Text summary')]),
  )
  provider.behaviour.dimensions = 5
  await other.put([{ ...clockListing, version: 2, description: 'of any city' }])
  await untilFirst(other, 'make it short', 'summary')
})
