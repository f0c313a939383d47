import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { get, post } from './wire.ts'

let market: TestService
let owner: User
let stranger: User
beforeAll(async () => {
  market = await startTestService()
  owner = await market.user('owner')
  stranger = await market.user('stranger')
})
afterAll(() => market.stop())

const register = (body: unknown, token?: string) => post(market.url, '/agents/register', body, token)
const registered = z.object({ agent_id: z.string(), wallet_address: z.string(), unchanged: z.boolean() }).loose()
const idOf = async (body: unknown, token?: string) => registered.parse((await register(body, token)).json).agent_id

const time = {
  id: 'time',
  name: 'time',
  description: 'Local time',
  price: 0,
  price_v2: { type: 'fixed', amount: 0.002, currency: 'USDC' },
}

describe('the dialects', () => {
  const offering = { name: 'time', requirement: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } } }
  const stored = {
    id: '1',
    name: 'time',
    type: 'JOB',
    price: 0.05,
    price_v2: { type: 'fixed', amount: 0.05, currency: 'USDC' },
    requirement: offering.requirement,
    sla_minutes: 2,
    active: true,
  }

  test('the card form of existing libraries and the form of the specification create the same agent', async () => {
    const wire = {
      ...offering,
      id: 1,
      type: 'JOB',
      price: 0,
      priceV2: { type: 'fixed', amount: 0.05, currency: 'USDC' },
      slaMinutes: 2,
      active: true,
    }
    const card = {
      handle: 'dialects',
      card: {
        name: 'Dialects',
        description: 'Speaks two',
        url: 'http://localhost:8000/agents/dialects/',
        registrations: null,
        jobOfferings: null,
      },
      skills: [{ name: 'time', description: 'Local time', inputs: [], outputs: [] }],
      tasks: [{ name: 'time', description: 'Local time' }],
      cost_model: { base_call_fee: 0.05, custom_fees: {} },
      price: { amount: 0.05, currency: 'USD' },
      jobOfferings: [wire],
      jobResources: [],
      metadata: { via_gateway: true },
      endpoint_url: '',
      chain_id: 97,
    }
    const id = await idOf(card, owner.token)
    const inCard = z.looseObject({ version: z.number() }).parse((await get(market.url, `/agents/${id}`)).json)
    const plain = {
      handle: 'dialects',
      name: 'Dialects',
      description: 'Speaks two',
      chain_id: 97,
      endpoint_url: null,
      via_gateway: true,
      skills: card.skills,
      cost_model: card.cost_model,
      job_offerings: [
        {
          ...offering,
          id: '1',
          price: 0,
          price_v2: { type: 'fixed', amount: 0.05, currency: 'USDC' },
          sla_minutes: 2,
          active: true,
        },
      ],
    }
    expect(await idOf(plain, owner.token)).toBe(id)
    expect((await get(market.url, `/agents/${id}`)).json).toEqual({ ...inCard, version: inCard.version + 1 })
    expect(inCard).toMatchObject({ name: 'Dialects', description: 'Speaks two', endpoint_url: '', job_offerings: [stored] })
  })

  test('a price names its token by address or by symbol, and a push address is stored', async () => {
    const priceV2 = { amount: 0.05, currency: '0x64544969ed7EBf5f083679233325356EbE738930', symbol: 'USDC' }
    const body = {
      handle: 'cli',
      jobOfferings: [{ ...offering, id: 1, priceV2, slaMinutes: 2 }],
      endpoint_url: 'https://agent.example/',
    }
    const id = await idOf(body, owner.token)
    expect((await get(market.url, `/agents/${id}`)).json).toMatchObject({
      job_offerings: [stored],
      endpoint_url: 'https://agent.example/',
      metadata: { via_gateway: false },
      card: { url: 'https://agent.example/' },
    })
  })

  test.each([
    [
      'a schema keyword without support',
      { requirement: { type: 'object', properties: { city: { not: {} } } } },
      'schema-unsupported',
      '/requirement/properties/city/not',
    ],
    ['a reference', { deliverable: { $ref: '#' } }, 'schema-unsupported', '/deliverable/$ref'],
    ['a price of no number', { price_v2: { amount: 'free' } }, 'invalid-price', ''],
    ['a price below the smallest unit', { price_v2: { amount: 0.0000000000000000001 } }, 'invalid-price', ''],
    ['a price in another coin', { price_v2: { amount: 1, currency: 'EUR' } }, 'invalid-price', '/price_v2/currency'],
    ['a promise of no time', { sla_minutes: 0 }, 'invalid-input', '/sla_minutes'],
  ])('%s is refused with a pointer', async (_name, change, code, pointer) => {
    const answer = await register({ handle: 'refused', job_offerings: [time, { ...time, id: 'b', ...change }] }, owner.token)
    expect(answer).toMatchObject({ status: 422, code, json: { pointer: `/job_offerings/1${pointer}` } })
  })

  test.each([1, 56, -97, 97.5, '97'])('chain %s is not served and is refused', async chain_id => {
    expect(await register({ handle: 'elsewhere', chain_id }, owner.token)).toMatchObject({ status: 422 })
  })
})

describe('the record of an agent', () => {
  test('is found under every form of its name, in the shape that existing clients read', async () => {
    const id = await idOf(
      {
        handle: 'Found.me',
        name: 'Found',
        description: 'Is found',
        skills: [{ name: 's', description: 'd' }],
        job_offerings: [time],
      },
      owner.token,
    )
    const upper = id.toUpperCase().replace('X', 'x')
    const paths = [
      id,
      encodeURIComponent(id),
      upper,
      'Found.me',
      'erc8004:Found.me',
      '97:erc8004:Found.me',
      'handle/Found.me',
    ].map(it => `/agents/${it}`)
    const answers = await Promise.all(paths.map(path => get(market.url, path)))
    for (const answer of answers) expect(answer.json).toEqual(answers[0]?.json)
    expect(answers[0]?.json).toMatchObject({
      agent_id: id,
      handle: 'Found.me',
      name: 'Found',
      display_name: 'Found',
      description: 'Is found',
      owner_id: `user:${owner.wallet}`,
      wallet_address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      chain_id: 97,
      endpoint_url: '',
      card: {
        name: 'Found',
        description: 'Is found',
        url: `${market.url}/agents/handle/Found.me`,
        skills: [{ name: 's', description: 'd' }],
      },
      price: { amount: 0.002, currency: 'USDC', symbol: 'USDC' },
      skills: [{ name: 's', description: 'd' }],
      job_offerings: [{ id: 'time', price: 0.002, price_v2: { amount: 0.002 } }],
      metadata: { via_gateway: true, job_offerings: [{ id: 'time', name: 'time', price: 0.002, active: true }] },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(JSON.stringify(answers[0]?.json)).not.toContain('null')
    const list = z.object({ data: z.array(z.unknown()), total: z.number(), page: z.literal(1), pageSize: z.literal(50) })
    // A list omits members that only a lookup of one agent has.
    const { cost_model: _costs, job_resources: _resources, ...listed } = z.looseObject({}).parse(answers[0]?.json)
    expect(list.parse((await get(market.url, '/agents?include_health=true')).json).data).toContainEqual(listed)
  })

  test('is 404 under every form of an unknown name', async () => {
    for (const name of [
      'nobody',
      'handle/nobody',
      '97:0x00000000000000000000000000000000000000aa:1',
      '56:erc8004:mine',
      '%25',
      'a'.repeat(200),
    ])
      expect(await get(market.url, `/agents/${name}`)).toMatchObject({ status: 404, code: 'agent-not-found' })
  })

  test('row 35: shows a stranger nothing that is hidden, restricted or inactive, on any route', async () => {
    const shown = { ...time, id: 'shown', name: 'Polish shoes until they shine' }
    const unlisted = { hidden: { hide: true }, restricted: { restricted: true }, inactive: { active: false } }
    const others = Object.entries(unlisted).map(([id, flag]) => ({ ...time, id, name: `Polish shoes ${id}`, ...flag }))
    const card = { name: 'Shoes', description: 'Shines', jobOfferings: others }
    const id = await idOf(
      { handle: 'shoes', card, job_offerings: [shown, ...others], metadata: { job_offerings: others } },
      owner.token,
    )
    const searched = await until('the offering in the index', async () => {
      const { text } = await get(market.url, '/offerings/search?query=Polish%20shoes&limit=50')
      return text.includes('until they shine') && text
    })
    const looked = await Promise.all(
      [`/agents/${id}`, '/agents/shoes', '/agents/handle/shoes', '/agents?pageSize=500'].map(path =>
        get(market.url, path, stranger.token),
      ),
    )
    const proposed = await post(
      market.url,
      '/v1/hires',
      { task: 'Polish shoes: hidden, restricted, inactive ones' },
      stranger.token,
    )
    for (const text of [searched, ...looked.map(it => it.text), proposed.text.replace(/"task":"[^"]*"/, '')])
      expect(text).not.toMatch(/Polish shoes (?:hidden|restricted|inactive)/)
    const own = z.object({ job_offerings: z.array(z.object({ id: z.string() })) })
    const mine = own.parse((await get(market.url, `/agents/${id}`, owner.token)).json).job_offerings.map(it => it.id)
    expect(mine.toSorted()).toEqual(['hidden', 'inactive', 'restricted', 'shown'])
  })
})
