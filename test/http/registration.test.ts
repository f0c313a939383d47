import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseTransaction } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { registrationMessage } from '../../src/domain/net/wireTexts.ts'
import { startTestService, type TestService, type User } from '../service.ts'
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

/** The members of a registration by a provider with its own key. */
const signedBy = async (privateKey = generatePrivateKey(), message: string = registrationMessage) => {
  const account = privateKeyToAccount(privateKey)
  return { user_id: account.address, signature: await account.signMessage({ message }), message }
}

/** Transactions in the journal that minted an identity. */
const identitiesOnChain = async () => {
  const { store, chains } = market.service.world.deps
  const registry = chains.get(97)?.addresses.registry
  return (await store.journal(97)).filter(it => it.mined && parseTransaction(it.raw).to?.toLowerCase() === registry).length
}

describe('a registration by signature', () => {
  // The test vector on which existing clients in four languages agree.
  const vector = {
    user_id: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    signature:
      '0xe3af9d802998759c2b4dc4eb2faa96e4cce4968c23fa9ce409344fc52a4d1bc6616f8e7b8cce12915e2ba92d3924e33171849f259b4bb919b332bf26190664c51b',
    message: 'Create an AIP agent',
  }

  test('is accepted in the form that existing clients send', async () => {
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
        warnings: [],
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

  test('takes precedence over a signature beside it, and a valid signature does not rescue an invalid token', async () => {
    const { user_id: _wallet, ...signature } = await signedBy()
    expect(await register({ handle: 'both', ...signature }, owner.token)).toMatchObject({
      json: { wallet_address: owner.wallet },
    })
    expect(await register({ handle: 'bad', ...(await signedBy()) }, 'a.b.c')).toMatchObject({
      status: 401,
      code: 'invalid-token',
    })
  })

  test('accepts the own wallet in every form as user_id and refuses another one', async () => {
    for (const user_id of [owner.wallet, `user:${owner.wallet}`, owner.wallet.toUpperCase().replace('X', 'x')])
      expect(await register({ handle: 'forms', user_id }, owner.token)).toMatchObject({ status: 200 })
    expect(await register({ handle: 'forms', user_id: stranger.wallet }, owner.token)).toMatchObject({
      status: 401,
      code: 'wrong-owner',
    })
  })
})

test('is required when there is no signature: a wallet address alone registers nothing', async () => {
  for (const user_id of [undefined, owner.wallet, `user:${owner.wallet}`])
    expect(await register({ handle: 'bare', user_id })).toMatchObject({ status: 401, code: 'unauthenticated' })
})

describe('a handle', () => {
  test('registered again by its owner is the same agent, and no transaction is sent', async () => {
    const body = { handle: 'again', job_offerings: [time] }
    const id = await idOf(body, owner.token)
    const minted = await identitiesOnChain()
    const answers = await Promise.all([1, 2, 3].map(() => idOf(body, owner.token)))
    expect([answers, await identitiesOnChain()]).toEqual([[id, id, id], minted])
  })

  test('registered concurrently by two owners is one identity of one of them', async () => {
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
  ])('that could be mistaken for another kind of name is refused: "%.20s"', async handle => {
    expect(await register({ handle }, owner.token)).toMatchObject({
      status: 422,
      code: 'invalid-handle',
      json: { pointer: '/handle' },
    })
  })
})
