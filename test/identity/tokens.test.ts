import { createHmac, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { CompactEncrypt, CompactSign, decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createSealer, readMasterKey } from '../../src/chain/signing/secrets.ts'
import { registrationMessage } from '../../src/domain/net/wireTexts.ts'
import { routes } from '../assembled.ts'
import { get, post, send } from '../http/wire.ts'
import { createTestClock, startTestService, type TestService, type User } from '../service.ts'
import { begin, freshAccount, messageOf, signIn } from './wallets.ts'

const dayMs = 24 * 60 * 60_000
const clock = createTestClock()
let market: TestService
let ada: User
/** The number of token queries to the database. */
let looks = 0
let key: Awaited<ReturnType<typeof ownKey>>
beforeAll(async () => {
  market = await startTestService({
    clock,
    wrap: ({ store, chain }) => ({
      chain,
      store: {
        ...store,
        revocationsSince: at => {
          looks += 1
          return store.revocationsSince(at)
        },
        tokenKeys: () => {
          looks += 1
          return store.tokenKeys()
        },
      },
    }),
  })
  ada = await market.user('ada')
  key = await ownKey()
})
afterAll(() => market.stop())

/** The signing key of the deployment, decrypted with the master key file. */
const ownKey = async () => {
  const sealer = createSealer(await readMasterKey({ hex: undefined, file: join(market.dir, 'master.key') }))
  const [newest] = await market.service.world.deps.store.tokenKeys()
  if (!newest) throw new Error('no key')
  const jwk = z.looseObject({ kty: z.string() }).parse(JSON.parse(sealer.open(newest.sealed, `token-key:${newest.number}`)))
  const publicKey = await importJWK(newest.publicJwk, 'ES256', { extractable: true })
  return { kid: newest.kid, privateKey: await importJWK(jwk, 'ES256'), publicKey, publicJwk: newest.publicJwk }
}

type Members = Record<string, unknown>
const now = () => Math.floor(clock.now() / 1000)
const header = (change: Members = {}) => ({ alg: 'ES256', typ: 'JWT', kid: key.kid, ...change })
const claims = (change: Members = {}): Members => ({
  ...{ iss: 'agent-marketplace', aud: 'agent-marketplace', sub: `user:${ada.wallet}`, jti: 'token_1' },
  ...{ iat: now(), exp: now() + 3600 },
  ...change,
})
const encode = (it: unknown) => Buffer.from(typeof it === 'string' ? it : JSON.stringify(it)).toString('base64url')

/** A token with any content, signed with the key of the deployment. */
const signed = async (body: unknown, head: Members = header(), by = key.privateKey) => {
  const input = `${encode(head)}.${encode(body)}`
  if (!(by instanceof CryptoKey)) throw new TypeError('no key')
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, by, Buffer.from(input))
  return `${input}.${Buffer.from(signature).toString('base64url')}`
}
const asHmac = (secret: string | Buffer) => {
  const input = `${encode(header({ alg: 'HS256' }))}.${encode(claims())}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}
const foreign = async (more: Members) => {
  const { privateKey } = await generateKeyPair('ES256')
  return new CompactSign(Buffer.from(JSON.stringify(claims()))).setProtectedHeader({ ...header(), ...more }).sign(privateKey)
}

const wallet = (token: string) => get(market.url, '/v1/wallets/me', token)

test('a token issued here is accepted until half a minute after its expiry', async () => {
  expect(await wallet(await signed(claims()))).toMatchObject({ status: 200 })
  expect(await wallet(await signed(claims({ exp: now() - 30 })))).toMatchObject({ status: 200 })
})

type Row = [title: string, token: () => Promise<string> | string, code?: string]
const unsigned = (alg: string) => `${encode(header({ alg }))}.${encode(claims())}.`
const signature = (it: string) => it.split('.')[2] ?? ''

const row14: Row[] = [
  ['alg none', () => unsigned('none')],
  ['alg None', () => unsigned('None')],
  ['no alg', () => unsigned('')],
  ['no signature', () => ada.token.replace(/[^.]+$/, '')],
  ['two parts', () => ada.token.replace(/\.[^.]+$/, '')],
  ['HS256 with the public key as PEM', async () => asHmac(await exportSPKI(z.instanceof(CryptoKey).parse(key.publicKey)))],
  ['HS256 with the public key as JWK', () => asHmac(JSON.stringify(key.publicJwk))],
  ['HS256 with the public point', () => asHmac(Buffer.from(key.publicJwk.x ?? '', 'base64url'))],
  ['r = s = 0', () => `${encode(header())}.${encode(claims())}.${encode(Buffer.alloc(64).toString('latin1'))}`],
  [
    'ES384',
    async () => {
      const { privateKey } = await generateKeyPair('ES384')
      return new SignJWT(claims()).setProtectedHeader({ ...header(), alg: 'ES384' }).sign(privateKey)
    },
  ],
  ['another key under our kid', () => foreign({})],
  ['an embedded jwk', async () => foreign({ jwk: await exportJWK((await generateKeyPair('ES256')).publicKey) })],
  ['jku', () => foreign({ jku: `${market.url}/.well-known/jwks.json` })],
  ['x5u', () => foreign({ x5u: 'https://keys.example/x' })],
  ...['../../etc/passwd', "' or 1=1 --", 'https://keys.example/k', 'a'.repeat(4096), '', 7].map(
    (kid): Row => [`kid ${String(kid).slice(0, 20)}`, () => signed(claims(), header({ kid }))],
  ),
  ['no kid', () => signed(claims(), { alg: 'ES256', typ: 'JWT' })],
  ['jwk beside our signature', () => signed(claims(), header({ jwk: key.publicJwk }))],
  ['jku beside our signature', () => signed(claims(), header({ jku: 'https://keys.example/' }))],
  ['crit unknown', () => signed(claims(), header({ crit: ['exp'] }))],
  ['b64 false', () => signed(claims(), header({ b64: false, crit: ['b64'] }))],
  [
    'JWE',
    async () =>
      new CompactEncrypt(Buffer.from(JSON.stringify(claims())))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(randomBytes(32)),
  ],
  ['nested', () => signed(ada.token, header({ cty: 'JWT' }))],
  [
    'a changed payload',
    () => {
      const [head, , tail] = ada.token.split('.')
      return `${head}.${encode({ ...decodeJwt(ada.token), sub: `user:0x${'1'.repeat(40)}` })}.${tail}`
    },
  ],
  [
    'a changed signature',
    () => ada.token.replace(/[^.]$/, '').replace(/\.(.)([^.]*)$/, (_all, at, rest) => `.${at === 'A' ? 'B' : 'A'}${rest}A`),
  ],
  ['four parts', () => `${ada.token}.${signature(ada.token)}`],
]

const row15: Row[] = [
  ['expired', () => signed(claims({ iat: now() - 3600, exp: now() - 61 })), 'token-expired'],
  ['nbf ahead', () => signed(claims({ nbf: now() + 61 }))],
  ['iat ahead', () => signed(claims({ iat: now() + 62 }))],
  ['older than any token lives', () => signed(claims({ iat: now() - 31 * 24 * 3600 }))],
  ['no exp', () => signed(claims({ exp: undefined }))],
  ['no iat', () => signed(claims({ iat: undefined }))],
  ['no jti', () => signed(claims({ jti: undefined }))],
  ['exp as text', () => signed(claims({ exp: String(now() + 3600) }))],
  ['another iss', () => signed(claims({ iss: 'other' }))],
  ['another aud', () => signed(claims({ aud: 'other' }))],
  ['several aud', () => signed(claims({ aud: ['agent-marketplace', 'other'] }))],
  ['another typ', () => signed(claims(), header({ typ: 'at+jwt' }))],
  ['no typ', () => signed(claims(), header({ typ: undefined }))],
]

const row16: Row[] = [
  ...[
    undefined,
    'user:',
    () => `agent:${ada.wallet}`,
    () => ada.wallet,
    () => `user:${ada.wallet.slice(0, -1)}`,
    'user:0x52908400098527886E0F7030069857D2E4169EE8',
    'user:0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266',
    'user:vitalik.eth',
    () => `USER:${ada.wallet}`,
    () => `user:${ada.wallet} `,
    () => [`user:${ada.wallet}`],
  ].map(
    (sub): Row => [
      `sub ${typeof sub === 'function' ? sub.toString().slice(6) : sub}`,
      () => signed(claims({ sub: typeof sub === 'function' ? sub() : sub })),
    ],
  ),
  ['two subs', () => signed(JSON.stringify(claims()).replace('{', `{"sub":"user:0x${'1'.repeat(40)}",`))],
]

describe.each([
  ['row 14: wrong kind, key or header', row14],
  ['row 15: wrong time or place', row15],
  ['row 16: wrong subject', row16],
])('%s', (_title, rows) => {
  test.each(rows)('%s is 401', async (_name, make, code = 'invalid-token') => {
    const token = await make()
    const answers = await Promise.all([wallet(token), get(market.url, '/agents', token)])
    expect(answers.map(it => [it.status, it.code])).toEqual([
      [401, code],
      [401, code],
    ])
  })
})

test('row 13: without a credential every guarded route is 401 and says how to get one', async () => {
  const guarded = routes.flatMap(({ method, path, operation }) =>
    operation.caller === 'user' ? [[method.toUpperCase(), path.replace(/\{\w+\}/g, 'x')] as const] : [],
  )
  expect(guarded.length).toBeGreaterThan(15)
  for (const [method, path] of guarded) {
    const { status, code, headers } = await send(market.url, { method, path })
    expect([path, status, code, headers['www-authenticate']]).toEqual([path, 401, 'unauthenticated', 'Bearer'])
  }
})

describe('row 17: a token is refused', () => {
  test('of 16 KB', async () => {
    const long = await signed(claims({ jti: 'a'.repeat(16 * 1024) }))
    expect([400, 401, 431]).toContain((await wallet(long)).status)
  })

  test('in two headers', async () => {
    const status = await new Promise((resolve, reject) => {
      const out = request(`${market.url}/v1/wallets/me`, { agent: false }, answer => resolve(answer.resume().statusCode))
      out.on('error', reject)
      out.setHeader('authorization', [`Bearer ${ada.token}`, 'Bearer a.b.c'])
      out.end()
    })
    expect([400, 401]).toContain(status)
  })

  test('in the query or a cookie', async () => {
    const query = `/v1/wallets/me?token=${ada.token}&access_token=${ada.token}&authorization=Bearer%20${ada.token}`
    for (const cookie of [`token=${ada.token}`, `authorization=Bearer ${ada.token}`])
      expect(await send(market.url, { path: query, headers: { cookie } })).toMatchObject({ status: 401, code: 'unauthenticated' })
  })
})

const registration = async (account = freshAccount()) => ({
  handle: `row-${account.address.slice(2, 12)}`,
  user_id: account.address,
  message: registrationMessage,
  signature: await account.signMessage({ message: registrationMessage }),
})

test('row 18: an invalid token with a valid signature is 401 and registers nothing', async () => {
  const body = await registration()
  const expired = await signed(claims({ iat: now() - 3600, exp: now() - 3500 }))
  for (const [token, code] of [
    ['a.b.c', 'invalid-token'],
    [expired, 'token-expired'],
  ] as const)
    expect(await post(market.url, '/agents/register', body, token)).toMatchObject({ status: 401, code })
  expect(await get(market.url, `/agents/${body.handle}`)).toMatchObject({ status: 404 })
})

test('row 19: a valid token with the user_id of another wallet never acts as that wallet', async () => {
  const body = await registration()
  expect(await post(market.url, '/agents/register', body, ada.token)).toMatchObject({ status: 401, code: 'wrong-owner' })
  const { user_id: _other, ...own } = body
  expect(await post(market.url, '/agents/register', own, ada.token)).toMatchObject({ json: { wallet_address: ada.wallet } })
})

test('neither a known token nor one with a made-up key causes a database query for each request', async () => {
  await wallet(ada.token)
  const before = looks
  const began = performance.now()
  for (let n = 0; n < 60; n++)
    await get(market.url, '/gateway/jobs/poll?agent=nobody', n % 2 ? ada.token : await foreign({ kid: '0'.repeat(16) }))
  const allowed = 2 + Math.ceil((performance.now() - began) / 1000)
  expect(looks - before).toBeLessThanOrEqual(allowed)
})

describe('a revocation', () => {
  const revoke = (token: string, body?: object) => post(market.url, '/v1/revoke', body ?? {}, token)

  test('applies to one token alone', async () => {
    const account = freshAccount()
    const [one, other] = [await signIn(market.url, account), await signIn(market.url, account)]
    expect(await revoke(one)).toMatchObject({ status: 200, json: { revoked: 'this' } })
    expect(await wallet(one)).toMatchObject({ status: 401, code: 'invalid-token' })
    expect(await wallet(other)).toMatchObject({ status: 200 })
  })

  test('applies to all tokens of a wallet, and a new one of the same second is valid', async () => {
    const account = freshAccount()
    const tokens = [await signIn(market.url, account), await signIn(market.url, account)]
    expect(await revoke(tokens[0] ?? '', { all: true })).toMatchObject({ status: 200, json: { revoked: 'all' } })
    for (const token of tokens) expect(await wallet(token)).toMatchObject({ status: 401 })
    expect(await wallet(await signIn(market.url, account))).toMatchObject({ status: 200 })
    expect(await wallet(ada.token)).toMatchObject({ status: 200 })
  })

  test('of all tokens also drops the token that a waiting program has not fetched', async () => {
    const account = freshAccount()
    const { code } = await begin(market.url)
    const signed = await account.signMessage({ message: await messageOf(market.url, code, account.address) })
    await post(market.url, '/v1/approve', { code, address: account.address, signature: signed })
    await revoke(await signIn(market.url, account), { all: true })
    expect(await get(market.url, `/v1/status?code=${code}`)).toMatchObject({ status: 404 })
  })

  test('still applies after a restart', async () => {
    const token = await signIn(market.url, freshAccount())
    await revoke(token)
    await market.restart()
    expect(await wallet(token)).toMatchObject({ status: 401 })
    expect(await wallet(ada.token)).toMatchObject({ status: 200 })
  })
})

describe('the signing keys', () => {
  const published = z.object({ keys: z.array(z.record(z.string(), z.string())) })
  const keys = async () => published.parse((await get(market.url, '/.well-known/jwks.json')).json).keys

  test('are published without their private halves, and a token is checked with the key that it names', async () => {
    const [only, ...others] = await keys()
    expect(others).toEqual([])
    expect(Object.keys(only ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(only?.kid).toBe(key.kid)
  })

  test('are replaced when they are old, and their tokens stay valid for their lifetime and no longer', async () => {
    const { wakeups } = market.service.world.deps
    clock.advance(70 * dayMs, wakeups)
    const late = await signIn(market.url, freshAccount())
    clock.advance(20 * dayMs + 1, wakeups)
    const [next, before] = await keys()
    expect(before?.kid).toBe(key.kid)
    expect(next?.kid).not.toBe(key.kid)
    expect(await wallet(late)).toMatchObject({ status: 200 })
    expect(await wallet(await signIn(market.url, freshAccount()))).toMatchObject({ status: 200 })
    clock.advance(30 * dayMs, wakeups)
    expect((await keys()).map(it => it.kid)).toEqual([next?.kid])
    expect(await wallet(late)).toMatchObject({ status: 401 })
    expect(await wallet(ada.token)).toMatchObject({ status: 401 })
  })
})
