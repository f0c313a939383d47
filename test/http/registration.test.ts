import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseTransaction } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { registrationMessage } from '../../src/domain/wireTexts.ts'
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

/** What a provider with a key of its own sends besides the profile. */
const signedBy = async (privateKey = generatePrivateKey(), message: string = registrationMessage) => {
  const account = privateKeyToAccount(privateKey)
  return { user_id: account.address, signature: await account.signMessage({ message }), message }
}

/** Transactions that minted an identity, as the journal of the chain has them. */
const identitiesOnChain = async () => {
  const { store, chains } = market.service.world.deps
  const registry = chains.get(97)?.addresses.registry
  return (await store.journal(97)).filter(it => it.mined && parseTransaction(it.raw).to?.toLowerCase() === registry).length
}

describe('a registration by signature', () => {
  // The vector on which the existing clients of four languages agree.
  const vector = {
    user_id: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    signature:
      '0xe3af9d802998759c2b4dc4eb2faa96e4cce4968c23fa9ce409344fc52a4d1bc6616f8e7b8cce12915e2ba92d3924e33171849f259b4bb919b332bf26190664c51b',
    message: 'Create an AIP agent',
  }

  test('is taken as the existing clients send it', async () => {
    const { status, json } = await register({ handle: 'vector', ...vector, job_offerings: [time] })
    expect([status, json]).toEqual([
      200,
      {
        agent_id: expect.stringMatching(/^97:0x[0-9a-f]{40}:\d+$/),
        handle: 'vector',
        chain_id: 97,
        wallet_address: vector.user_id.toLowerCase(),
        onchain_registration: {
          agent_wallet: expect.stringMatching(/^0x[0-9a-f]{40}$/),
          tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          status: 'confirmed',
        },
        unchanged: false,
      },
    ])
  })

  test.each([
    ['by another wallet', { user_id: `0x${'1'.repeat(40)}` }],
    ['without a wallet', { user_id: undefined }],
    ['of another text', { message: 'Create an AIP agent ' }],
    ['without a text', { message: null }],
    ['cut short', { signature: vector.signature.slice(0, -2) }],
    ['that is no hex', { signature: 'signed' }],
    ['of nothing', { signature: `0x${'0'.repeat(130)}` }],
  ])('is refused %s', async (_name, change) => {
    expect(await register({ handle: 'refused', ...vector, ...change })).toMatchObject({ status: 401, code: 'signature-mismatch' })
  })

  test('never changes what is registered; a token of the same wallet does', async () => {
    const key = generatePrivateKey()
    const body = { handle: 'steady', description: 'before', job_offerings: [time] }
    const id = await idOf({ ...body, ...(await signedBy(key)) })
    const change = { ...body, description: 'after', job_offerings: [{ ...time, price_v2: { amount: 9 } }] }
    const again = await register({ ...change, ...(await signedBy(key)) })
    expect(again).toMatchObject({ status: 200, json: { agent_id: id, unchanged: true } })
    expect((await get(market.url, `/agents/${id}`)).json).toMatchObject({
      description: 'before',
      job_offerings: [{ price_v2: { amount: 0.002 } }],
    })
  })
})

describe('a registration by token', () => {
  test('belongs to the wallet of the token and may be changed with it', async () => {
    const id = await idOf({ handle: 'mine', description: 'before', job_offerings: [time] }, owner.token)
    const change = { handle: 'mine', description: 'after', job_offerings: [{ ...time, id: 'other' }] }
    expect(await register(change, owner.token)).toMatchObject({
      json: { agent_id: id, wallet_address: owner.wallet, unchanged: false },
    })
    expect((await get(market.url, '/agents/mine')).json).toMatchObject({ description: 'after', job_offerings: [{ id: 'other' }] })
  })

  test('wins over a signature beside it, and a bad one is not saved by a good signature', async () => {
    const { user_id: _wallet, ...signature } = await signedBy()
    expect(await register({ handle: 'both', ...signature }, owner.token)).toMatchObject({
      json: { wallet_address: owner.wallet },
    })
    expect(await register({ handle: 'bad', ...(await signedBy()) }, 'a.b.c')).toMatchObject({
      status: 401,
      code: 'invalid-token',
    })
  })

  test('takes the own wallet in every form as user_id and refuses another one', async () => {
    for (const user_id of [owner.wallet, `user:${owner.wallet}`, owner.wallet.toUpperCase().replace('X', 'x')])
      expect(await register({ handle: 'forms', user_id }, owner.token)).toMatchObject({ status: 200 })
    expect(await register({ handle: 'forms', user_id: stranger.wallet }, owner.token)).toMatchObject({
      status: 401,
      code: 'wrong-owner',
    })
  })
})

test('without token and signature a wallet alone registers nothing', async () => {
  for (const user_id of [undefined, owner.wallet, `user:${owner.wallet}`])
    expect(await register({ handle: 'bare', user_id })).toMatchObject({ status: 401, code: 'unauthenticated' })
})

describe('a handle', () => {
  test('registered again by its owner is the same agent, and nothing goes on chain', async () => {
    const body = { handle: 'again', job_offerings: [time] }
    const id = await idOf(body, owner.token)
    const minted = await identitiesOnChain()
    const answers = await Promise.all([1, 2, 3].map(() => idOf(body, owner.token)))
    expect([answers, await identitiesOnChain()]).toEqual([[id, id, id], minted])
  })

  test('registered by two owners at once is one identity of one of them', async () => {
    const before = await identitiesOnChain()
    const answers = await Promise.all([owner, stranger].map(it => register({ handle: 'wanted' }, it.token)))
    expect(answers.map(it => it.status).toSorted()).toEqual([200, 409])
    expect(answers.find(it => it.status === 409)?.code).toBe('handle-taken')
    expect(await identitiesOnChain()).toBe(before + 1)
  })

  test.each([
    '',
    ' ',
    'a b',
    'city##97:0xabc:1',
    'сity-clock',
    'city\u200b',
    'ｃity',
    '.',
    '..',
    'a'.repeat(65),
    'butler.f39fd6e5',
    'Register',
  ])('that could be taken for something else is refused: "%.20s"', async handle => {
    expect(await register({ handle }, owner.token)).toMatchObject({
      status: 422,
      code: 'invalid-handle',
      json: { pointer: '/handle' },
    })
  })
})

describe('the dialects', () => {
  const offering = { name: 'time', requirement: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } } }
  const stored = {
    id: '1',
    name: 'time',
    type: 'JOB',
    price: 0,
    price_v2: { type: 'fixed', amount: 0.05, currency: 'USDC' },
    requirement: offering.requirement,
    sla_minutes: 2,
    active: true,
  }

  test('the card form of the existing libraries and the form of the specification are one agent', async () => {
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
    const inCard = (await get(market.url, `/agents/${id}`)).json
    const plain = {
      handle: 'dialects',
      name: 'Dialects',
      description: 'Speaks two',
      chain_id: 97,
      endpoint_url: null,
      via_gateway: true,
      skills: card.skills,
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
    expect((await get(market.url, `/agents/${id}`)).json).toEqual(inCard)
    expect(inCard).toMatchObject({ name: 'Dialects', description: 'Speaks two', endpoint_url: '', job_offerings: [stored] })
  })

  test('a price names its token by address or by symbol, and an address to push to is kept', async () => {
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
      { requirement: { type: 'object', properties: { city: { pattern: '^(a+)+$' } } } },
      'schema-unsupported',
      '/requirement/properties/city/pattern',
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

  test.each([1, 56, -97, 97.5, '97'])('chain %s is not served here', async chain_id => {
    expect(await register({ handle: 'elsewhere', chain_id }, owner.token)).toMatchObject({ status: 422 })
  })
})

describe('a record', () => {
  test('is found by every form of its name, in the shape that existing clients read', async () => {
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
      job_offerings: [{ id: 'time', price: 0, price_v2: { amount: 0.002 } }],
      metadata: { via_gateway: true, job_offerings: [{ id: 'time', name: 'time', price: 0.002, active: true }] },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(JSON.stringify(answers[0]?.json)).not.toContain('null')
    const list = z.object({ data: z.array(z.unknown()), total: z.number(), page: z.literal(1), pageSize: z.literal(50) })
    expect(list.parse((await get(market.url, '/agents')).json).data).toContainEqual(answers[0]?.json)
  })

  test('of nobody is 404 by every form', async () => {
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

  test('shows a stranger nothing that is hidden, restricted or inactive, wherever they look', async () => {
    const shown = { ...time, id: 'shown', name: 'Polish shoes until they shine' }
    const unlisted = { hidden: { hide: true }, restricted: { restricted: true }, inactive: { active: false } }
    const others = Object.entries(unlisted).map(([id, flag]) => ({ ...time, id, name: `Polish shoes ${id}`, ...flag }))
    const card = { name: 'Shoes', description: 'Shines', jobOfferings: others }
    const id = await idOf(
      { handle: 'shoes', card, job_offerings: [shown, ...others], metadata: { secret: 'restricted' } },
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
    const proposed = await post(market.url, '/v1/hires', { task: 'Polish shoes hidden restricted inactive' }, stranger.token)
    for (const text of [searched, ...looked.map(it => it.text), proposed.text.replace(/"task":"[^"]*"/, '')])
      expect(text).not.toMatch(/Polish shoes (?:hidden|restricted|inactive)|secret/)
    const own = z.object({ job_offerings: z.array(z.object({ id: z.string() })) })
    const mine = own.parse((await get(market.url, `/agents/${id}`, owner.token)).json).job_offerings.map(it => it.id)
    expect(mine.toSorted()).toEqual(['hidden', 'inactive', 'restricted', 'shown'])
  })
})
