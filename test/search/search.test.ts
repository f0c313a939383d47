import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { Search } from '../../src/ports.ts'
import { openSearch } from '../../src/search/search.ts'
import { agent, listing } from './listings.ts'

const clock = { now: () => Date.now() }
const opened: Search[] = []
const dirs: string[] = []

const freshDir = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'search-'))
  dirs.push(dir)
  return dir
}
const open = async (dir?: string) => {
  const search = await openSearch({ dir: dir ?? (await freshDir()), clock })
  opened.push(search)
  return search
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map(it => it.close()))
  await Promise.all(dirs.splice(0).map(dir => rm(dir, { recursive: true, force: true })))
})

const clockListing = listing({
  id: 'time',
  name: 'World clock',
  description: 'Tells the current time in any city',
  requirement: { type: 'object', properties: { city: { type: 'string', description: 'City, for example Tokyo' } } },
})
const summary = listing({
  id: 'summary',
  agentId: agent(2),
  name: 'Text summary',
  description: 'Summarizes articles into bullet points',
})

const idsFor = async (search: Search, text: string, more: { chainId?: number; maxPrice?: string } = {}) =>
  (await search.search({ text, limit: 10, ...more })).map(it => it.offeringId)

test('a listing is found at once by its name, its description and the words of its schema, in any inflection', async () => {
  const search = await open()
  await search.put([clockListing, summary])
  for (const text of ['clocks', 'what is the time in my town?', 'tokyo']) expect(await idsFor(search, text)).toEqual(['time'])
  expect(await idsFor(search, 'summarizing an article')).toEqual(['summary'])
  expect(await idsFor(search, 'flight to Mars')).toEqual([])
  expect(await search.count()).toBe(2)
})

test('a misspelt word finds the intended listing, with a lower score than the word itself', async () => {
  const search = await open()
  const translator = listing({ id: 'translation', agentId: agent(3), name: 'Translation', description: 'From French to German' })
  await search.put([clockListing, summary, translator])
  for (const text of ['curent', 'crrent', 'curretn', 'cubrent', 'translaet']) {
    expect((await idsFor(search, text))[0]).toBe(text.startsWith('t') ? 'translation' : 'time')
  }
  const [right] = await search.search({ text: 'summarize articles', limit: 1 })
  const [wrong] = await search.search({ text: 'summarize artcles', limit: 1 })
  expect(wrong).toMatchObject({ offeringId: 'summary', coverage: 1 })
  expect(wrong?.score).toBeLessThan(right?.score ?? 0)
})

test('a word that occurs in a listing is never treated as misspelt, nor is a short word, a number or a distant word', async () => {
  const search = await open()
  await search.put([
    clockListing,
    summary,
    listing({ id: 'fruit', agentId: agent(3), name: 'Currant', description: 'Dried fruit' }),
  ])
  for (const text of ['currant', 'tome', 'c1ty', 'cu2rent', 'xxrrent']) {
    const covering = (await search.search({ text, limit: 10 })).filter(it => it.coverage > 0)
    expect(covering.map(it => it.offeringId)).toEqual(text === 'currant' ? ['fruit'] : [])
  }
})

test('a hit names its agent and offering and how much of the request it covers', async () => {
  const search = await open()
  await search.put([clockListing, summary])
  const [hit] = await search.search({ text: 'time in Lisbon', limit: 1 })
  expect(hit).toMatchObject({ agentId: agent(1), offeringId: 'time', coverage: 0.5 })
  expect(hit?.score).toBeGreaterThan(0)
})

test('a score is a share of the best possible one, and the parts of its explanation add up to it without learned words', async () => {
  const search = await open()
  await search.put([{ ...clockListing, learned: ['sunset', 'time'] }, summary])
  const text = 'current time at sunset'
  const [hit] = await search.search({ text, limit: 1, explain: true })
  const { terms = [], ngrams = 0, learned = 0 } = hit?.explanation ?? {}
  const words = terms.reduce((sum, it) => sum + it.name + it.about + it.schema, 0)
  expect(words + ngrams + learned).toBeCloseTo(hit?.score ?? 0, 9)
  expect(hit?.score).toBeLessThan(1)
  expect(learned).toBeGreaterThan(0)
  expect(terms.map(it => it.term).sort()).toEqual(['current', 'time'])
  expect((await search.search({ text, limit: 1 }))[0]).not.toHaveProperty('explanation')
})

test('a matching listing scores higher than one with a chance word in common, also for a longer request', async () => {
  const search = await open()
  await search.put([clockListing, summary])
  const best = async (text: string) => (await search.search({ text, limit: 1 }))[0]?.score ?? 0
  const long = 'could you please tell me what the current time is in the city of Tokyo'
  expect(Math.min(await best('current time'), await best(long))).toBeGreaterThan(
    await best('a flight to the city of Mars with points'),
  )
})

test('learned words change the order of the hits, and nothing else of a listing', async () => {
  const search = await open()
  const two = { ...clockListing, agentId: agent(3), id: 'two' }
  await search.put([clockListing, { ...two, learned: ['sunset'] }])
  const hits = await search.search({ text: 'time of sunset', limit: 2 })
  expect(hits.map(it => [it.offeringId, it.coverage])).toEqual([
    ['two', 0.5],
    ['time', 0.5],
  ])
  await search.put([two])
  expect(await idsFor(search, 'sunset')).toEqual([])
})

test('the best match comes first', async () => {
  const search = await open()
  const noise = Array.from({ length: 30 }, (_, n) =>
    listing({ id: `noise${n}`, name: `Report ${n}`, description: 'a text in any city' }),
  )
  await search.put([...noise, clockListing, summary])
  expect((await idsFor(search, 'current time in a city'))[0]).toBe('time')
  expect((await idsFor(search, 'summary of a text'))[0]).toBe('summary')
})

test('nothing of a removed agent is found, and everything of the others is', async () => {
  const search = await open()
  await search.put([clockListing, { ...clockListing, id: 'time2' }, { ...clockListing, agentId: agent(3), id: 'other' }])
  await search.remove(agent(1))
  expect(await idsFor(search, 'clock')).toEqual(['other'])
})

test('removing an agent that has no listing writes nothing to the disk', async () => {
  const dir = await freshDir()
  const search = await open(dir)
  await search.put([clockListing, summary])
  const files = async () => (await readdir(dir, { recursive: true })).toSorted()
  const before = await files()
  await Promise.all([search.remove(agent(7)), search.remove(agent(1), [clockListing])])
  expect(await files()).toEqual(before)
  await search.remove(agent(1))
  expect(await files()).not.toEqual(before)
})

test('a list can be searched while it is indexed again, and only removed offerings are gone afterwards', async () => {
  const search = await open()
  const gone = { ...clockListing, id: 'gone' }
  await search.put([clockListing, gone, { ...clockListing, agentId: agent(3), id: 'other' }])
  const again = search.put([clockListing]).then(() => search.remove(agent(1), [clockListing]))
  let isDone = false
  const looks = (async () => {
    while (!isDone) {
      expect(await idsFor(search, 'clock')).toContain('time')
      // A search does not wait for I/O, so this yields to the writes.
      await setImmediate()
    }
  })()
  await again
  isDone = true
  await looks
  expect((await idsFor(search, 'clock')).sort()).toEqual(['other', 'time'])
})

test('hidden, restricted or inactive offerings are never found, even when they were listed before', async () => {
  const search = await open()
  for (const off of [{ hide: true }, { restricted: true }, { active: false }]) {
    await search.put([clockListing])
    expect(await idsFor(search, 'clock')).toEqual(['time'])
    await search.put([{ ...clockListing, ...off, version: 2 }])
    expect(await idsFor(search, 'clock')).toEqual([])
  }
  expect(await search.count()).toBe(0)
})

test('the newest version wins, in any order of arrival', async () => {
  const search = await open()
  await search.put([listing({ name: 'Weather report', version: 2 })])
  await search.put([listing({ name: 'World clock', version: 1 })])
  expect(await idsFor(search, 'clock')).toEqual([])
  await search.put([listing({ name: 'Poetry', version: 4 }), listing({ name: 'Painting', version: 3 })])
  expect(await idsFor(search, 'weather painting')).toEqual([])
  expect(await idsFor(search, 'poetry')).toEqual(['offering'])
  expect(await search.count()).toBe(1)
})

test('concurrent writes take effect in the order of their calls', async () => {
  const search = await open()
  await Promise.all([
    search.put([clockListing]),
    search.put([summary]),
    search.remove(agent(1)),
    search.put([{ ...clockListing, id: 'later' }]),
  ])
  expect((await idsFor(search, 'clock summary')).sort()).toEqual(['later', 'summary'])
})

test('results are limited to the given chain and maximum price', async () => {
  const search = await open()
  await search.put([
    clockListing,
    { ...clockListing, id: 'cheap', price: '0.1' },
    { ...clockListing, id: 'elsewhere', chainId: 8453, price: '0.1' },
  ])
  expect((await idsFor(search, 'clock', { chainId: 97 })).sort()).toEqual(['cheap', 'time'])
  expect(await idsFor(search, 'clock', { chainId: 97, maxPrice: '0.1' })).toEqual(['cheap'])
  expect(await idsFor(search, 'clock', { chainId: 56 })).toEqual([])
  expect(await idsFor(search, 'clock', { maxPrice: '0.05' })).toEqual([])
})

test('row 36: no text, limit or key of a stranger widens the results or breaks the index', async () => {
  const search = await open()
  await search.put([{ ...clockListing, price: '5' }])
  const nasty = fc.oneof(
    fc.constantFrom(
      "' OR 1=1 --",
      "') OR ('a'='a",
      '1 OR price > 0',
      '\\',
      '"',
      '`',
      '\u0000',
      '%',
      'clock" OR "x',
      'clock AND',
      '1e9',
      '-1',
      'NaN',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
  )
  await fc.assert(
    fc.asyncProperty(nasty, nasty, async (text, bound) => {
      expect(await idsFor(search, `clock ${text}`, { chainId: 56 })).toEqual([])
      const priced = await idsFor(search, `clock ${text}`, { maxPrice: bound })
      if (!(Number(bound) >= 5)) expect(priced).toEqual([])
      expect(await idsFor(search, `clock ${text}`)).toContain('time')
    }),
    { numRuns: 25 },
  )
  await fc.assert(
    fc.asyncProperty(nasty, nasty, async (id, agentId) => {
      await search.put([{ ...clockListing, id, agentId, name: `${id} ${agentId}` }])
      await search.put([{ ...clockListing, id, agentId, hide: true, version: 2 }])
      await search.remove(agentId)
      expect(await search.count()).toBe(1)
    }),
    { numRuns: 6 },
  )
})

test('a reopened folder still finds everything', async () => {
  const dir = await freshDir()
  const before = await open(dir)
  await before.put([clockListing, summary])
  await opened.pop()?.close()
  const after = await open(dir)
  expect(await after.count()).toBe(2)
  expect(await idsFor(after, 'world clock')).toEqual(['time'])
  await after.put([{ ...summary, name: 'Digest', version: 2 }])
  expect(await idsFor(after, 'digest')).toEqual(['summary'])
})

test('a damaged folder starts empty and can be filled again', async () => {
  const files = async (dir: string) =>
    (await readdir(dir, { recursive: true, withFileTypes: true }))
      .filter(it => it.isFile())
      .map(it => join(it.parentPath, it.name))
  for (const suffix of ['.lance', '.manifest']) {
    const dir = await freshDir()
    await (await open(dir)).put([clockListing])
    await opened.pop()?.close()
    for (const file of (await files(dir)).filter(it => it.endsWith(suffix))) await writeFile(file, 'torn')
    const again = await open(dir)
    expect(await again.count()).toBe(0)
    await again.put([clockListing])
    expect(await idsFor(again, 'clock')).toEqual(['time'])
  }
})

test('a folder path that is a file or holds something else starts empty', async () => {
  const dir = await freshDir()
  await writeFile(join(dir, 'other'), 'x')
  expect(await (await open(join(dir, 'other'))).count()).toBe(0)
})

test('each of a thousand listings is the first hit for its own words, also when added one by one', async () => {
  const search = await open()
  const verbs = ['translate', 'summarize', 'paint', 'audit', 'forecast', 'tutor', 'compose', 'inspect', 'cook', 'design']
  const things = ['contracts', 'weather', 'portraits', 'songs', 'gardens', 'engines', 'novels', 'bridges', 'recipes', 'maps']
  const places = ['lisbon', 'tokyo', 'nairobi', 'oslo', 'lima', 'quito', 'delhi', 'perth', 'cairo', 'rome']
  const all = Array.from({ length: 1000 }, (_, n) => {
    const [a, b, c] = [verbs[n % 10], things[Math.floor(n / 10) % 10], places[Math.floor(n / 100)]]
    return listing({
      id: `${a} ${b} ${c}`,
      agentId: agent(n),
      name: `${a} ${b}`,
      description: `We ${a} ${b} in ${c}, fast and well.`,
    })
  })
  for (let from = 0; from < 984; from += 246) await search.put(all.slice(from, from + 246))
  for (const one of all.slice(984)) await search.put([one])
  expect(await search.count()).toBe(1000)
  for (const n of [0, 123, 456, 789, 983, 984, 999]) expect((await idsFor(search, `please ${all[n]?.id}`))[0]).toBe(all[n]?.id)
})

test('an often changed listing is found by its current words, and not by its old ones', async () => {
  const search = await open()
  const versions = ['alder', 'birch', 'cedar', 'dogwood']
  for (const [version, word] of versions.entries())
    await search.put(
      Array.from({ length: 700 }, (_, n) => listing({ id: `o${n}`, agentId: agent(n), name: `${word} number${n}`, version })),
    )
  await search.remove(agent(5))
  for (let look = 0; look < 20; look += 1) {
    expect(await idsFor(search, 'birch cedar')).toEqual([])
    expect(await search.search({ text: 'dogwood', limit: 1000 })).toHaveLength(699)
    expect((await idsFor(search, 'dogwood number69'))[0]).toBe('o69')
    expect(await idsFor(search, 'number5')).not.toContain('o5')
    await search.count()
  }
})
