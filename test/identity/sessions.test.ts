import { decodeJwt } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { get, post, send } from '../http/wire.ts'
import { createTestClock, startTestService, type TestService, type User } from '../service.ts'
import { begin as beginAt, begun, freshAccount, messageOf as messageAt } from './wallets.ts'

const dayMs = 24 * 60 * 60_000
const clock = createTestClock()

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService({ clock })
  ada = await market.user('ada')
})
afterAll(() => market.stop())

const begin = () => beginAt(market.url)
const messageOf = (code: string, address: string) => messageAt(market.url, code, address)
const approved = z.object({ token: z.string(), expires_at: z.string() })
const wallet = async (token: string) => get(market.url, '/v1/wallets/me', token)

describe('POST /v1/init begins a session', () => {
  test.each([
    ['the JSON text true, as existing clients do', 'true'],
    ['an empty object', '{}'],
    ['an object', '{"json":true}'],
    ['null', 'null'],
    ['no body at all', undefined],
  ])('for %s', async (_name, body) => {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const { status, json } = await send(market.url, { method: 'POST', path: '/v1/init', headers, ...(body && { body }) })
    const { code, auth_url, authUrl } = begun.parse(json)
    expect([status, authUrl]).toEqual([200, auth_url])
    expect(auth_url).toBe(`${market.url}/authorize?code=${code}`)
    expect(code).toMatch(/^[a-z0-9]{32,}$/)
  })
})

test('a session is approved once, by a wallet signature over a text that names this service', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const { code } = await begin()
  const message = await messageOf(code, account.address)
  expect(message).toContain(`${new URL(market.url).host} wants you to sign in with your Ethereum account:\n${account.address}`)
  expect(message).toContain(`URI: ${market.url}\nVersion: 1\nChain ID: 97\nNonce: ${code}`)
  const approval = { code, address: account.address, signature: await account.signMessage({ message }) }
  const twice = await Promise.all([1, 2].map(() => post(market.url, '/v1/approve', approval)))
  expect(twice.map(it => it.status).toSorted()).toEqual([200, 404])
  expect(await post(market.url, '/v1/approve', approval)).toMatchObject({ status: 404, code: 'not-found' })
})

test('an invalid signature is refused, and the session stays open for its owner', async () => {
  const [account, other] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const { code } = await begin()
  const message = await messageOf(code, account.address)
  const elsewhere = await messageOf((await begin()).code, account.address)
  const signatures = [
    await other.signMessage({ message }),
    await account.signMessage({ message: elsewhere }),
    await account.signMessage({ message: `${message} ` }),
    '0x',
  ]
  for (const signature of signatures) {
    const refused = await post(market.url, '/v1/approve', { code, address: account.address, signature })
    expect(refused).toMatchObject({ status: 401, code: 'signature-mismatch' })
  }
  const signature = await account.signMessage({ message })
  expect(await post(market.url, '/v1/approve', { code, address: account.address, signature })).toMatchObject({ status: 200 })
})

test('an unknown or expired code starts no session', async () => {
  const address = privateKeyToAccount(generatePrivateKey()).address
  expect(await get(market.url, `/v1/approve?code=nothing&address=${address}`)).toMatchObject({ status: 404 })
  expect(await get(market.url, `/v1/approve?code=nothing&address=me`)).toMatchObject({
    status: 422,
    json: { pointer: '/address' },
  })
  const { code } = await begin()
  clock.advance(10 * 60_000 + 1, market.service.world.deps.wakeups)
  expect(await get(market.url, `/v1/approve?code=${code}&address=${address}`)).toMatchObject({ status: 404 })
})

test('a token has three parts that every base64 decoder reads, names the wallet, and is valid for days', () => {
  const [, payload = '', ...rest] = ada.token.split('.')
  expect(rest).toHaveLength(1)
  // Some clients decode with the standard base64 alphabet, so no character may differ between the two alphabets.
  expect(payload).toMatch(/^[A-Za-z0-9]+$/)
  const text = Buffer.from(payload, 'base64').toString('latin1')
  expect(text).toMatch(/^[\x20-\x3d\x40-\x7d]+$/)
  const { sub, exp = 0 } = decodeJwt(ada.token)
  expect(sub).toBe(`user:${ada.wallet}`)
  expect(exp * 1000).toBeGreaterThan(clock.now() + 7 * dayMs)
})

test('a wallet that signs in again keeps its proxy wallet, and gets test USDC only once', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const signIn = async () => {
    const { code } = await begin()
    const signature = await account.signMessage({ message: await messageOf(code, account.address) })
    return approved.parse((await post(market.url, '/v1/approve', { code, address: account.address, signature })).json).token
  }
  const tokens = await Promise.all([signIn(), signIn(), signIn()])
  const wallets = await Promise.all([...tokens, await signIn()].map(token => wallet(token)))
  expect(wallets[0]?.json).toMatchObject({ balances: [{ chain_id: 97, usdc: '25' }] })
  for (const it of wallets) expect(it.json).toEqual(wallets[0]?.json)
  expect((await wallet(ada.token)).json).not.toEqual(wallets[0]?.json)
})

describe('the token of an approved session at GET /v1/status', () => {
  const status = (code: string) => get(market.url, `/v1/status?code=${code}`)
  const approve = async (code: string, more: object = {}) => {
    const account = freshAccount()
    const signature = await account.signMessage({ message: await messageOf(code, account.address) })
    return post(market.url, '/v1/approve', { code, address: account.address, signature, ...more })
  }

  test('is returned after the approval and once, also under concurrent requests', async () => {
    const { code } = await begin()
    expect(await status(code)).toMatchObject({ status: 200, json: { status: 'pending' } })
    await approve(code)
    const twice = await Promise.all([status(code), status(code)])
    expect(twice.map(it => it.status).toSorted()).toEqual([200, 404])
    const { token } = approved.parse(twice.find(it => it.status === 200)?.json)
    expect(await wallet(token)).toMatchObject({ status: 200 })
  })

  test('is not returned when the person keeps it, when the code has expired, or for made-up codes', async () => {
    const kept = await begin()
    await approve(kept.code, { hand_over: false })
    const old = await begin()
    await approve(old.code)
    clock.advance(10 * 60_000 + 1, market.service.world.deps.wakeups)
    const made = old.code.replace(/^./, it => (it === '0' ? '1' : '0'))
    for (const code of [kept.code, old.code, made, `${old.code}0`, '', 'a'.repeat(76)])
      expect(await status(code)).toMatchObject({ status: 404, code: 'not-found' })
  })
})

test('a demo wallet of the local world is the same user for the same secret, and also needs a session', async () => {
  const asDemo = async (secret: string) => {
    const { code } = await begin()
    return post(market.url, '/v1/approve/demo', { code, secret })
  }
  const [one, again, other] = await Promise.all(['1', '1', '2'].map(digit => asDemo(digit.repeat(32))))
  const wallets = await Promise.all([one, again, other].map(it => wallet(approved.parse(it?.json).token)))
  expect(wallets[0]?.json).toMatchObject({ balances: [{ usdc: '25' }] })
  expect(wallets[1]?.json).toEqual(wallets[0]?.json)
  expect(wallets[2]?.json).not.toEqual(wallets[0]?.json)
  expect(await post(market.url, '/v1/approve/demo', { code: 'x', secret: '1'.repeat(32) })).toMatchObject({ status: 404 })
})
