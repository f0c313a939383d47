import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { CompactSign, decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createSealer, readMasterKey } from '../../src/chain/secrets.ts'
import { get, post, send } from '../http/wire.ts'
import { createTestClock, startTestService, type TestService, type User } from '../service.ts'

const dayMs = 24 * 60 * 60_000
const clock = createTestClock()

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService({ clock })
  ada = await market.user('ada')
})
afterAll(() => market.stop())

const begun = z.object({ code: z.string(), auth_url: z.string(), authUrl: z.string() })
const begin = async () => begun.parse((await post(market.url, '/v1/init', true)).json)
const messageOf = async (code: string, address: string) =>
  z.object({ message: z.string() }).parse((await get(market.url, `/v1/approve?code=${code}&address=${address}`)).json).message
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
    expect(auth_url).toBe(`${market.url}/v1/approve?code=${code}`)
    expect(code).toMatch(/^[a-z0-9]{32,}$/)
  })
})

test('a session is approved once, by a signature of the wallet over a text that names this service', async () => {
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

test('a signature that does not fit is refused, and leaves the session to its owner', async () => {
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

test('an unknown code and one of yesterday begin nothing', async () => {
  const address = privateKeyToAccount(generatePrivateKey()).address
  expect(await get(market.url, `/v1/approve?code=nothing&address=${address}`)).toMatchObject({ status: 404 })
  expect(await get(market.url, `/v1/approve?code=nothing&address=me`)).toMatchObject({
    status: 422,
    json: { pointer: '/address' },
  })
  const { code } = await begin()
  clock.advance(10 * 60_000 + 1, market.service.world.deps.hints)
  expect(await get(market.url, `/v1/approve?code=${code}&address=${address}`)).toMatchObject({ status: 404 })
})

test('a token has three parts that every base64 decoder reads, names the wallet, and lasts for days', () => {
  const [, payload = '', ...rest] = ada.token.split('.')
  expect(rest).toHaveLength(1)
  // Some clients read it with the standard alphabet: no byte of it may be written differently there.
  expect(payload).toMatch(/^[A-Za-z0-9]+$/)
  const text = Buffer.from(payload, 'base64').toString('latin1')
  expect(text).toMatch(/^[\x20-\x3d\x40-\x7d]+$/)
  const { sub, exp = 0 } = decodeJwt(ada.token)
  expect(sub).toBe(`user:${ada.wallet}`)
  expect(exp * 1000).toBeGreaterThan(clock.now() + 7 * dayMs)
})

test('a wallet that signs in again keeps its proxy wallet, and gets test USDC once', async () => {
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

describe('a token is refused', () => {
  const issuer = 'agent-marketplace'
  /** The deployment's own key, opened with the files that only its owner reads. */
  const ownKey = async () => {
    const { store } = market.service.world.deps
    const sealer = createSealer(await readMasterKey({ hex: undefined, file: join(market.dir, 'master.key') }))
    const jwk = z
      .looseObject({ kty: z.string() })
      .parse(JSON.parse(sealer.open((await store.secret('jwt-signing-key')) ?? '', 'jwt-signing-key')))
    const { d: _private, ...open } = jwk
    return { privateKey: await importJWK(jwk, 'ES256'), publicKey: await importJWK(open, 'ES256', { extractable: true }), open }
  }
  const now = () => Math.floor(clock.now() / 1000)
  const claims = (change: JWTPayload = {}): JWTPayload => ({
    iss: issuer,
    aud: issuer,
    sub: `user:${ada.wallet}`,
    iat: now(),
    exp: now() + 3600,
    ...change,
  })
  const header = { alg: 'ES256', typ: 'JWT' }
  const encode = (it: unknown) => Buffer.from(JSON.stringify(it)).toString('base64url')
  const refused = async (token: string, code = 'invalid-token') => {
    const answers = await Promise.all([wallet(token), get(market.url, '/agents', token)])
    expect(answers.map(it => [it.status, it.code])).toEqual([
      [401, code],
      [401, code],
    ])
  }
  const sign = async (change: JWTPayload, protectedHeader = header) =>
    new SignJWT(claims(change)).setProtectedHeader(protectedHeader).sign((await ownKey()).privateKey)

  test('not when it is as this service writes it', async () => {
    expect(await wallet(await sign({}))).toMatchObject({ status: 200 })
    expect(await wallet(await sign({ exp: now() - 30 }))).toMatchObject({ status: 200 })
  })

  test('without a signature', async () => {
    for (const alg of ['none', 'None', '']) await refused(`${encode({ alg, typ: 'JWT' })}.${encode(claims())}.`)
    await refused(ada.token.replace(/[^.]+$/, ''))
    await refused(ada.token.replace(/\.[^.]+$/, ''))
    await refused(`${encode(header)}.${encode(claims())}.${Buffer.alloc(64).toString('base64url')}`)
  })

  test('whose signature or claims were changed', async () => {
    const [head = '', body = '', signature = ''] = ada.token.split('.')
    const other = encode({ ...decodeJwt(ada.token), sub: `user:0x${'1'.repeat(40)}` })
    await refused(`${head}.${other}.${signature}`)
    await refused(`${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`)
    await refused(`${ada.token}.${body}`)
  })

  test('signed with the public key as if it were a shared secret', async () => {
    const { publicKey, open } = await ownKey()
    if (!(publicKey instanceof CryptoKey)) throw new TypeError('no key')
    const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims())}`
    const x = Buffer.from(z.string().parse(open.x), 'base64url')
    for (const key of [await exportSPKI(publicKey), JSON.stringify(open), x])
      await refused(`${input}.${createHmac('sha256', key).update(input).digest('base64url')}`)
  })

  test('that brings its own key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const bytes = new TextEncoder().encode(JSON.stringify(claims()))
    for (const more of [
      {},
      { jwk },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example/x' },
      { kid: '../../etc/passwd' },
    ])
      await refused(await new CompactSign(bytes).setProtectedHeader({ ...header, ...more }).sign(privateKey))
  })

  test('of another issuer, audience, kind or subject, or that never ends', async () => {
    for (const change of [{ iss: 'other' }, { aud: 'other' }, { exp: undefined }, { nbf: now() + 3600 }])
      await refused(await sign(change))
    for (const sub of [undefined, 'user:', 'agent:0x12', ada.wallet, `user:${ada.wallet.slice(0, -1)}`, 'user:vitalik.eth'])
      await refused(await sign({ sub }))
    await refused(await sign({}, { alg: 'ES256', typ: 'at+jwt' }))
  })

  test('when its days are over, also one that was known before', async () => {
    expect(await wallet(ada.token)).toMatchObject({ status: 200 })
    await refused(await sign({ exp: now() - 120 }), 'token-expired')
    clock.advance(31 * dayMs, market.service.world.deps.hints)
    await refused(ada.token, 'token-expired')
  })
})
