import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get, post, untilFindable } from './wire.ts'

let market: TestService
let owner: User
const ids = new Map<string, string>()

const string = { type: 'string' }
const listed = (handle: string, more: object) => ({
  ...{ id: 'work', name: handle, description: '', price_v2: { type: 'fixed', amount: 0.1, currency: 'USDC' }, sla_minutes: 5 },
  ...more,
})

const register = async (handle: string, offering: object, agent: object = {}) => {
  const body = { handle, name: handle, description: '', chain_id: 97, job_offerings: [listed(handle, offering)], ...agent }
  const { json } = await post(market.url, '/agents/register', body, owner.token)
  ids.set(handle, z.looseObject({ agent_id: z.string() }).parse(json).agent_id)
}

const hits = z.looseObject({ offerings: z.array(z.looseObject({ agent_handle: z.string(), price: z.string() })) })
const search = async (query: string) => {
  const { json } = await get(market.url, `/offerings/search?query=${encodeURIComponent(query)}`, owner.token)
  return hits.parse(json).offerings.map(it => it.agent_handle)
}

const examples = ['how do I get wine out of a carpet?', 'my shirt has ink on it']
const twoCurrencies = { type: 'object', properties: { amount: { type: 'number' }, from_currency: string, to_currency: string } }

beforeAll(async () => {
  market = await startTestService()
  owner = await market.user('owner')
  await register('horoscopes', { name: 'Horoscope', description: 'What the stars say for cancer, leo and virgo' })
  await register('fabric-clinic', { name: 'Stain advice', description: 'Advice for textiles', examples })
  await register('fx-desk', { name: 'Exchange desk', description: 'Daily rates', requirement: twoCurrencies })
  await register(
    'lawn-care',
    { name: 'Green keeper', description: 'Seasonal plan' },
    { description: 'Everything on lawns and hedges' },
  )
  const like = { name: 'Crossword setter', description: 'Crosswords to order' }
  for (const handle of ['never-seen', 'seen-alive']) await register(handle, like)
  await get(market.url, `/gateway/jobs/poll?agent=${encodeURIComponent(ids.get('seen-alive') ?? '')}&timeout=0`)
  await untilFindable(market.url, 'crossword', 'never-seen')
  await untilFindable(market.url, 'crossword', 'seen-alive')
})
afterAll(() => market.stop())

test('a correct English word is never corrected to another one', async () => {
  expect(await search('please cancel this job')).not.toContain('horoscopes')
  expect(await search('cancer')).toContain('horoscopes')
  expect(await search('horosocpe')).toContain('horoscopes')
})

test('an offering is found by the example requests of its owner, and shows them', async () => {
  expect((await search('there is wine on my carpet'))[0]).toBe('fabric-clinic')
  const id = encodeURIComponent(ids.get('fabric-clinic') ?? '')
  const record = z.looseObject({ job_offerings: z.array(z.looseObject({ examples: z.array(z.string()) })) })
  const read = async () => record.parse((await get(market.url, `/agents/${id}`)).json).job_offerings[0]?.examples
  expect(await read()).toEqual(examples)
})

test('examples are at most ten, of at most 300 characters each', async () => {
  for (const bad of [Array.from({ length: 11 }, (_, n) => `request ${n}`), ['x'.repeat(301)], ['fine', 7]]) {
    const body = { handle: 'too-much', description: '', chain_id: 97, job_offerings: [listed('too-much', { examples: bad })] }
    expect(await post(market.url, '/agents/register', body, owner.token)).toMatchObject({ status: 422, code: 'invalid-input' })
  }
})

test('an offering is found by the type of its inputs, even when it shares no word with the request', async () => {
  expect((await search('1.250,50 Euro in US dollars please'))[0]).toBe('fx-desk')
})

test('the description of an agent helps to find its offerings', async () => {
  expect((await search('my hedges grow too high'))[0]).toBe('lawn-care')
})

test('in a long letter, the one sentence with the request decides', async () => {
  const letter = `Good morning, I am writing to you on behalf of my aunt, who has been ill since the spring and asked me to take care of a few
matters. She lives alone in a house by the sea, with two cats and a very old parrot. For her birthday we would like a crossword.
The family meets in June, and all of us hope that she will be well again by then. Kind regards, and thank you for your patience.`
  expect(['seen-alive', 'never-seen']).toContain((await search(letter))[0])
})

test('without a token, a search is short', async () => {
  const ask = (chars: number) => get(market.url, `/offerings/search?query=${'crossword+'.repeat(40).slice(0, chars)}`)
  expect(await ask(limits.strangerSearchChars)).toMatchObject({ status: 200 })
  expect(await ask(limits.strangerSearchChars + 1)).toMatchObject({
    status: 422,
    json: { pointer: '/query', detail: expect.stringContaining('at most 300 characters') },
  })
})

test('of equally matching offerings, those of agents that never connected come last', async () => {
  expect((await search('crosswords')).slice(0, 2)).toEqual(['seen-alive', 'never-seen'])
})
