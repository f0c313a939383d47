import fc from 'fast-check'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { registrationMessage } from '../../src/domain/net/wireTexts.ts'
import { createTestClock, startTestService, type TestService } from '../service.ts'
import { freshAccount, openApp, signIn } from './wallets.ts'

const dayMs = 24 * 60 * 60_000
const clock = createTestClock()
let market: TestService
let ask: ReturnType<typeof openApp>
beforeAll(async () => {
  // A block explorer makes the embedded chain count as public, where a bare signature registers few agents.
  const explorer = 'https://explorer.example'
  market = await startTestService({ clock, wrap: ({ store, chain }) => ({ store, chain: { ...chain, explorer } }) })
  ask = openApp(market)
})
afterAll(() => market.stop())

let made = 0
const freshHandle = () => `agent-${++made}`
const time = { id: 'time', name: 'time', description: 'Local time', price_v2: { type: 'fixed', amount: 0.02, currency: 'USDC' } }
const bare = async (account: PrivateKeyAccount, body: object = {}) => ({
  ...{ handle: freshHandle(), description: 'before', job_offerings: [time] },
  ...{ user_id: account.address, message: registrationMessage },
  signature: await account.signMessage({ message: registrationMessage }),
  ...body,
})
const register = (body: unknown, how?: { token?: string; from?: string }) => ask('/agents/register', body, how)
const registered = z.object({ agent_id: z.string(), unchanged: z.boolean() })
const challenged = z.object({ challenge: z.object({ message: z.string(), expires_at: z.string(), how: z.string() }) })
/** The same body with a signature of the challenge text. */
const proven = async (account: PrivateKeyAccount, body: object, json: unknown) => {
  const { message } = challenged.parse(json).challenge
  return { ...body, message, signature: await account.signMessage({ message }) }
}

const halfOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The second valid signature of the same text by the same key, with s above half the curve order. */
const highTwin = (signature: string) => {
  const s = (halfOrder - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  return `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`
}
const compact = (signature: string) => {
  const [s, isOdd] = [BigInt(`0x${signature.slice(66, 130)}`), signature.endsWith('1c')]
  return `${signature.slice(0, 66)}${(s | (isOdd ? 1n << 255n : 0n)).toString(16).padStart(64, '0')}`
}

describe('row 21: a signature is refused', () => {
  const owner = freshAccount()
  const cases: [string, (it: { user_id: string; signature: string; message: string }) => object | Promise<object>][] = [
    ['by another wallet', async () => ({ signature: (await bare(freshAccount())).signature })],
    ['of a text with one more space', async () => bare(owner, { message: `${registrationMessage} ` })],
    ...[`${registrationMessage} `, `${registrationMessage}\n`, 'Create an Other agent', '', 'a'.repeat(60_000)].map(
      (message): [string, () => Promise<object>] => [
        `truly signed, of ${JSON.stringify(message.slice(0, 30))}`,
        async () => ({ message, signature: await owner.signMessage({ message }) }),
      ],
    ),
    ['of 64 bytes', it => ({ signature: it.signature.slice(0, -2) })],
    ['of 66 bytes', it => ({ signature: `${it.signature}00` })],
    ['in compact form', it => ({ signature: compact(it.signature) })],
    ['with a high s', it => ({ signature: highTwin(it.signature) })],
    ['with v 29', it => ({ signature: `${it.signature.slice(0, -2)}1d` })],
    ['for the zero address', () => ({ user_id: `0x${'0'.repeat(40)}` })],
    ['for another user_id', () => ({ user_id: freshAccount().address })],
    ['without a user_id', () => ({ user_id: undefined })],
    ['that is no hex', () => ({ signature: 'signed' })],
    ['with an odd digit', it => ({ signature: it.signature.slice(0, -1) })],
  ]
  test.each(cases)('%s', async (_name, change) => {
    const good = await bare(owner)
    expect(await register({ ...good, ...(await change(good)) })).toMatchObject({ status: 401, code: 'signature-mismatch' })
  })

  test('except that v 0 and 1 are accepted as 27 and 28', async () => {
    const body = await bare(freshAccount())
    const other = { ...body, signature: body.signature.replace(/1b$/, '00').replace(/1c$/, '01') }
    expect(await register(other)).toMatchObject({ status: 200 })
  })
})

describe('row 22: a repeated signature', () => {
  test('with the same body returns the same agent, which stays unverified until its owner uses a token', async () => {
    const account = freshAccount()
    const body = await bare(account)
    const [first, again] = [await register(body), await register(body)]
    expect(again).toEqual(first)
    const { agent_id } = registered.parse(first.json)
    expect((await ask(`/agents/${agent_id}`)).json).toMatchObject({ verified: false })
    const token = await signIn(market.url, account)
    const { signature: _signature, message: _message, user_id: _user, ...plain } = body
    expect(await register(plain, { token })).toMatchObject({ status: 200, json: { agent_id } })
    expect((await ask(`/agents/${agent_id}`)).json).toMatchObject({ verified: true })
  })

  test('with another body changes nothing, and the answer says so', async () => {
    const account = freshAccount()
    const body = await bare(account)
    const { agent_id } = registered.parse((await register(body)).json)
    const before = await ask(`/agents/${agent_id}`)
    expect(await register({ ...body, description: 'after', job_offerings: [] })).toMatchObject({
      status: 200,
      json: { agent_id, unchanged: true },
    })
    expect(await ask(`/agents/${agent_id}`)).toEqual(before)
  })

  test('for a hundred concurrent handles creates three agents, then needs a fresh proof, which creates another', async () => {
    const account = freshAccount()
    const bodies = await Promise.all(Array.from({ length: 100 }, () => bare(account)))
    const answers = await Promise.all(bodies.map(body => register(body)))
    expect(answers.filter(it => it.status === 200)).toHaveLength(3)
    const asked = answers.filter(it => it.status === 428 && it.code === 'fresh-proof-required')
    expect(asked).toHaveLength(97)
    const at = answers.findIndex(it => it.status === 428)
    expect(await register(await proven(account, bodies[at] ?? {}, answers[at]?.json))).toMatchObject({ status: 200 })
  })

  test('creates at most five agents of a wallet in total', async () => {
    const account = freshAccount()
    const statuses = []
    for (let day = 0; day < 3; day++) {
      for (let n = 0; n < 3; n++) statuses.push((await register(await bare(account))).status)
      clock.advance(dayMs, market.service.world.deps.wakeups)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 428, 428, 428, 428])
  })

  test('of many wallets from one network address creates ten agents a day, and leaves other addresses unaffected', async () => {
    const from = '2001:db8:7:7::1'
    const neighbours = Array.from({ length: 10 }, (_, at) => (at % 2 ? from : '2001:db8:7:7:a:b:c:d'))
    const first = await Promise.all(neighbours.map(async it => (await register(await bare(freshAccount()), { from: it })).status))
    expect(first).toEqual(neighbours.map(() => 200))
    expect(await register(await bare(freshAccount()), { from })).toMatchObject({ status: 429, code: 'registration-quota' })
    expect(await register(await bare(freshAccount()), { from: '2001:db8:7:8::1' })).toMatchObject({ status: 200 })
    clock.advance(dayMs + 1, market.service.world.deps.wakeups)
    expect(await register(await bare(freshAccount()), { from })).toMatchObject({ status: 200 })
  })

  test.each([56, 8453])('on the production chain %s needs a fresh proof', async chain_id => {
    expect(await register(await bare(freshAccount(), { chain_id }))).toMatchObject({ status: 428, code: 'fresh-proof-required' })
  })

  test('grants no other access', async () => {
    const body = await bare(freshAccount())
    const { agent_id } = registered.parse((await register(body)).json)
    const { signature } = body
    const answers = await Promise.all([
      ask('/v1/wallets/me', undefined, { token: signature }),
      ask('/v1/revoke', body),
      ask('/v1/key-mode', { ...body, allowed: true }),
      ask('/v1/wallets/me/rpc', { ...body, method: 'personal_sign', params: ['hello'] }),
      ask('/v1/login', { ...body, address: body.user_id }),
      ask('/v1/hires', { ...body, task: 'hello' }),
    ])
    expect(answers.map(it => it.status)).toEqual([401, 401, 401, 401, 401, 401])
    expect((await ask(`/agents/${agent_id}`, body)).status).not.toBe(200)
  })
})

describe('a fresh proof', () => {
  const asked = async (account: PrivateKeyAccount, change: object = {}) => {
    const body = await bare(account, change)
    await signIn(market.url, account)
    return { body, json: (await register(body)).json }
  }

  test('is required of a wallet that has signed in once, and its owner may turn that off', async () => {
    const account = freshAccount()
    const body = await bare(account)
    expect(await register(body)).toMatchObject({ status: 200 })
    const token = await signIn(market.url, account)
    expect(await register(body)).toMatchObject({ status: 401, code: 'bare-signature-refused' })
    await ask('/v1/key-mode', { allowed: true }, { token })
    expect(await register(body)).toMatchObject({ status: 200 })
    await signIn(market.url, account)
    expect(await register(body)).toMatchObject({ status: 200 })
    await ask('/v1/key-mode', { allowed: false }, { token })
    expect(await register(body)).toMatchObject({ status: 401, code: 'bare-signature-refused' })
  })

  test('is accepted once, for exactly its body, within five minutes', async () => {
    const account = freshAccount()
    const { body, json } = await asked(account)
    const fresh = await proven(account, body, json)
    expect(await register({ ...fresh, description: 'after' })).toMatchObject({ status: 401, code: 'signature-mismatch' })
    expect(await register({ ...fresh, handle: freshHandle() })).toMatchObject({ status: 401 })
    const twice = await Promise.all([register(fresh), register(fresh)])
    expect(twice.map(it => it.status).toSorted()).toEqual([200, 401])
    const { agent_id } = registered.parse(twice.find(it => it.status === 200)?.json)
    expect((await ask(`/agents/${agent_id}`)).json).toMatchObject({ verified: true })

    const later = await asked(account)
    clock.advance(5 * 60_000 + 1, market.service.world.deps.wakeups)
    expect(await register(await proven(account, later.body, later.json))).toMatchObject({ status: 401 })
  })

  test('of another wallet is refused', async () => {
    const [account, other] = [freshAccount(), freshAccount()]
    const { body, json } = await asked(account)
    expect(await register(await proven(other, body, json))).toMatchObject({ status: 401 })
    expect(await register(await proven(other, { ...body, user_id: other.address }, json))).toMatchObject({ status: 401 })
  })

  test('may change an agent that a bare signature registered', async () => {
    const account = freshAccount()
    const { agent_id } = registered.parse((await register(await bare(account, { handle: 'mine-to-change' }))).json)
    const { body, json } = await asked(account, { handle: 'mine-to-change', description: 'after' })
    expect(await register(await proven(account, body, json))).toMatchObject({ status: 200, json: { agent_id, unchanged: false } })
    expect((await ask(`/agents/${agent_id}`)).json).toMatchObject({ description: 'after', verified: true })
  })
})

test('from a first sign-in revokes the token that the bare login signature gave', async () => {
  const account = freshAccount()
  const message = 'Login to Privy Proxy'
  const login = { address: account.address, message, signature: await account.signMessage({ message }) }
  const { token } = z.object({ token: z.string() }).parse((await ask('/v1/login', login)).json)
  await ask('/v1/key-mode', { allowed: true }, { token })
  const own = await signIn(market.url, account)
  expect(await ask('/v1/wallets/me', undefined, { token })).toMatchObject({ status: 401 })
  expect(await ask('/v1/wallets/me', undefined, { token: own })).toMatchObject({ status: 200 })
  expect(await ask('/v1/login', login)).toMatchObject({ status: 401, code: 'bare-signature-refused' })
})

describe('an attacker with one observed request', () => {
  type Observed = Awaited<ReturnType<typeof bare>> & { agent_id: string }
  type Step = (seen: Observed) => Promise<unknown>
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  const change = fc.record(
    {
      name: word,
      description: word,
      endpoint_url: fc.constantFrom('https://evil.example/', '', null),
      via_gateway: fc.boolean(),
      job_offerings: fc.constantFrom(
        [],
        [{ ...time, hide: true }],
        [{ ...time, price_v2: { amount: 9 } }],
        [{ ...time, active: false }],
      ),
      card: fc.constantFrom({ name: 'x', jobOfferings: [] }, { description: 'x' }),
      metadata: fc.constantFrom({ via_gateway: false }, {}),
      agent_id: word,
      wallet: word,
      verified: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  const tampering = fc.record(
    {
      user_id: fc.constantFrom('', 'user:0x00', `0x${'1'.repeat(40)}`),
      message: fc.constantFrom('Login to Privy Proxy', ''),
      chain_id: fc.constantFrom(56, 8453, 84532),
    },
    { requiredKeys: [] },
  )
  const path = fc.constantFrom(
    ...[
      '/v1/login',
      '/v1/approve',
      '/v1/approve/demo',
      '/v1/revoke',
      '/v1/key-mode',
      '/v1/wallets/me/rpc',
      '/invoke',
      '/v1/hires',
    ],
    ...['/v1/init', '/gateway/jobs/complete', '/agents/register/'],
  )
  const spelling = fc.constantFrom(
    (it: string) => it.toUpperCase(),
    (it: string) => `97:erc8004:${it}`,
    (it: string) => `${it} `,
  )
  const approval = async (seen: Observed) => {
    const { code } = z.object({ code: z.string() }).parse((await ask('/v1/init', true)).json)
    return ask('/v1/approve', { ...seen, code, address: seen.user_id })
  }
  const asOwner = (seen: Observed) => ({ ...seen, address: seen.user_id, allowed: true, all: true })
  const step = fc.oneof(
    change.map(
      (it): Step =>
        seen =>
          register({ ...seen, ...it }),
    ),
    fc.tuple(change, tampering).map(
      ([it, more]): Step =>
        seen =>
          register({ ...seen, ...it, ...more }),
    ),
    fc.tuple(word, change).map(
      ([handle, it]): Step =>
        seen =>
          register({ ...seen, ...it, handle: `${handle}-${freshHandle()}` }),
    ),
    spelling.map(
      (respell): Step =>
        seen =>
          register({ ...seen, handle: respell(seen.handle), description: 'after' }),
    ),
    fc.tuple(path, change).map(
      ([to, it]): Step =>
        seen =>
          ask(to, { ...asOwner(seen), ...it }),
    ),
    path.map(
      (to): Step =>
        seen =>
          ask(to, asOwner(seen), { token: seen.signature }),
    ),
    fc.constant<Step>(seen => ask(`/gateway/jobs/poll?agent=${seen.agent_id}`)),
    fc.constant<Step>(approval),
  )

  test('cannot change, hide, re-price or earn from an existing agent of that wallet by any sequence of requests', async () => {
    const { store } = market.service.world.deps
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async steps => {
        const body = await bare(freshAccount())
        const { agent_id } = registered.parse((await register(body)).json)
        const standing = async () => ({
          row: await store.agent(agent_id),
          offerings: await store.offerings(agent_id),
          shown: z
            .looseObject({ reputation: z.looseObject({}) })
            // Excludes health and last contact, which change with polls, and old clients poll without a credential.
            .transform(({ health_status: _health, last_seen: _seen, reputation: { last_seen: _life, ...judged }, ...rest }) => ({
              ...rest,
              judged,
            }))
            .parse((await ask(`/agents/${agent_id}`)).json),
        })
        const before = await standing()
        for (const attempt of steps) await attempt({ ...body, agent_id })
        expect(await standing()).toEqual(before)
        expect(await register(body)).toMatchObject({ status: 200, json: { agent_id } })
      }),
      { numRuns: 10, seed: 7 },
    )
  })
})
