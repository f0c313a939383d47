import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { reputation, reputationVersion } from '../../src/domain/agents/reputation.ts'
import { limits } from '../../src/domain/limits.ts'
import { balancesOf, plain, provider, readRun, rested, talk } from '../hire/market.ts'
import { get, post, send } from '../http/wire.ts'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let owner: User
let stranger: User
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  owner = await market.user('owner')
  stranger = await market.user('stranger')
})
afterAll(() => market?.stop())

const register = (body: Record<string, unknown>, { token }: { token: string } = owner) =>
  post(market.url, '/agents/register', body, token)
const registered = z.object({ agent_id: z.string() })
const put = (path: string, body: unknown, { token }: { token: string }) =>
  send(market.url, {
    method: 'PUT',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

test('row 24: a chain is 97, also as 97.0 and by default, and every other value is refused', async () => {
  const ask = (chain: string) => post(market.url, '/agents/register', `{"handle":"chained"${chain}}`, owner.token)
  for (const same of ['', ',"chain_id":97', ',"chain_id":97.0'])
    expect(await ask(same)).toMatchObject({ status: 200, json: { chain_id: 97 } })
  for (const bad of ['1', '"97"', '-97', '97.5', 'null', '9007199254740992', '56', '84532'])
    expect([bad, (await ask(`,"chain_id":${bad}`)).status]).toEqual([bad, 422])
})

test('row 25: a handle that could be mistaken for another kind of name is refused', async () => {
  const bad = [
    '',
    'a'.repeat(1_000),
    'two words',
    'a##b',
    'x\u202ey',
    '\u0430da',
    '.',
    '..',
    'a..b',
    'admin',
    'butler.1234abcd',
    'erc8004',
    '97:0x:1',
    'a/b',
    'a\n',
  ]
  for (const handle of bad)
    expect([handle.slice(0, 20), await register({ handle })]).toMatchObject([
      handle.slice(0, 20),
      { status: 422, code: 'invalid-handle' },
    ])
  expect(await register({ handle: 'Twin' })).toMatchObject({ status: 200 })
  expect(await register({ handle: 'tWIN' }, stranger)).toMatchObject({ status: 409, code: 'handle-taken' })
})

test('a handle that looks like one of another wallet is refused, and its owner may have both', async () => {
  expect(await register({ handle: 'shop-lx5' })).toMatchObject({ status: 200 })
  for (const handle of ['sh0p-lx5', 'shop_lx5', 'Shop.1xs', 'SHOP-ixs'])
    expect([handle, await register({ handle }, stranger)]).toMatchObject([handle, { status: 409, code: 'handle-taken' }])
  expect(await register({ handle: 'shop_lx5' })).toMatchObject({ status: 200 })
  expect(await register({ handle: 'shop-lx6' }, stranger)).toMatchObject({ status: 200 })
  const raced = await Promise.all([owner, stranger].map((it, at) => register({ handle: at === 0 ? 'ra-ce' : 'ra_ce' }, it)))
  expect(raced.map(it => it.status).toSorted()).toEqual([200, 409])
})

test('row 26: of two concurrent registrations of a handle one succeeds, with one identity on chain', async () => {
  const answers = await Promise.all([owner, stranger, owner, stranger].map(it => register({ handle: 'wanted' }, it)))
  const won = answers.filter(it => it.status === 200)
  expect(answers.map(it => it.status).toSorted()).toEqual([200, 200, 409, 409])
  expect(new Set(won.map(it => registered.parse(it.json).agent_id)).size).toBe(1)
  expect(answers.filter(it => it.status === 409).map(it => it.code)).toEqual(['handle-taken', 'handle-taken'])
})

const offering = (more: Record<string, unknown> = {}) => ({ id: 'o', name: 'o', price_v2: { amount: 0.01 }, ...more })

test('row 30: a hundred offerings are accepted; a hundred and one, duplicates and too long texts are refused by position', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => offering({ id: `o${at}` }))
  for (const count of [0, 100])
    expect(await register({ handle: 'many', job_offerings: many(count) })).toMatchObject({ status: 200 })
  const refused: [Record<string, unknown>, string][] = [
    [{ job_offerings: many(101) }, '/job_offerings'],
    [{ job_offerings: [offering(), offering()] }, ''],
    [{ description: 'x'.repeat(limits.descriptionChars + 1) }, '/description'],
    [{ job_offerings: [offering({ description: 'x'.repeat(limits.descriptionChars + 1) })] }, '/job_offerings/0/description'],
    [{ job_offerings: [offering({ name: 'x'.repeat(limits.nameChars + 1) })] }, '/job_offerings/0/name'],
    ...['', '.', '..', 'x'.repeat(limits.nameChars + 1), 'o\u202e'].map((id): [Record<string, unknown>, string] => [
      { job_offerings: [offering({ id: 'first' }), offering({ id })] },
      '/job_offerings/1/id',
    ]),
    [{ job_offerings: [offering({ id: 1 }), offering({ id: '1' })] }, '/job_offerings'],
  ]
  for (const [body, pointer] of refused)
    expect(await register({ handle: 'many', ...body })).toMatchObject({
      status: 422,
      code: 'invalid-input',
      json: pointer ? { pointer } : {},
    })
  const longest = { job_offerings: [offering({ description: 'x'.repeat(limits.descriptionChars) })] }
  expect(await register({ handle: 'many', ...longest })).toMatchObject({ status: 200 })
  const tags = Array.from({ length: 30_000 }, (_, at) => `t${at}`)
  expect(await register({ handle: 'many', card: { skills: [{ name: 's', tags }] } })).toMatchObject({ status: 422 })
})

test('row 31: a price is a decimal number of USDC from zero to below a billion, and price_v2 takes precedence', async () => {
  const price = (more: string) =>
    post(market.url, '/agents/register', `{"handle":"priced","job_offerings":[{"id":"o","name":"o",${more}}]}`, owner.token)
  for (const bad of ['-1', '"-1"', '0.0000001', '1e9', '"1e9"', '"NaN"', '"five"', '1e400'])
    expect([bad, await price(`"price_v2":{"amount":${bad}}`)]).toMatchObject([bad, { status: 422 }])
  for (const bad of ['{"amount":1,"currency":"EUR"}', '{"amount":1,"type":"auction"}'])
    expect([bad, await price(`"price_v2":${bad}`)]).toMatchObject([bad, { status: 422, code: 'invalid-price' }])
  for (const [good, kept] of [
    ['"5"', 5],
    ['0', 0],
    ['0.1', 0.1],
    ['0.000001', 0.000001],
  ] as const) {
    const { json } = await price(`"price":0,"price_v2":{"amount":${good}}`)
    const { json: agent } = await get(market.url, `/agents/${registered.parse(json).agent_id}`)
    expect([good, agent]).toMatchObject([good, { job_offerings: [{ price_v2: { amount: kept } }] }])
  }
})

test('row 32: a promise is a whole number of minutes up to thirty days', async () => {
  for (const sla_minutes of [0, -1, 1.5, 1e9])
    expect(await register({ handle: 'promise', job_offerings: [offering({ sla_minutes })] })).toMatchObject({
      status: 422,
      code: 'invalid-input',
    })
  expect(await register({ handle: 'promise', job_offerings: [offering({ sla_minutes: limits.slaMinutes })] })).toMatchObject({
    status: 200,
  })
})

test('row 34: only its owner changes an agent, never its identity, and a running job keeps its terms', async () => {
  const poet = await provider(market, plain('0.5'), 'steady-poet')
  const maker = await market.user('owner-steady-poet')
  const { say } = talk(stranger)
  const { run_id } = await say('Hire agent steady-poet to write a haiku')
  await say('yes', 0)
  const { job_id } = await poet.take()
  const path = `/agents/${poet.agentId}`
  const dearer = { job_offerings: [{ id: 'plain', name: 'Write a haiku', price_v2: { amount: 9 } }] }
  expect(await put(path, dearer, owner)).toMatchObject({ status: 404, code: 'agent-not-found' })
  for (const member of ['agent_id', 'owner_id', 'wallet_address', 'handle', 'chain_id', 'id'])
    expect([member, await put(path, { [member]: 'x' }, maker)]).toMatchObject([member, { status: 422, code: 'immutable-field' }])
  expect(await put(path, {}, maker)).toMatchObject({ status: 200 })
  expect(await put(path, dearer, maker)).toMatchObject({ status: 200, json: { job_offerings: [{ price_v2: { amount: 9 } }] } })
  const before = await balancesOf(stranger, { poet: poet.wallet })
  await poet.deliver(job_id, 'Splash')
  await rested(stranger, run_id)
  expect(await readRun(stranger, run_id)).toMatchObject({ job: { state: 'settled', amount: '0.5' } })
  expect((await balancesOf(stranger, { poet: poet.wallet })).poet).toBeCloseTo((before.poet ?? 0) + 0.5, 6)
})

describe('row 36: characters that mean something to a database', () => {
  const odd = [
    "' or '1'='1",
    '" or 1=1 --',
    '%',
    '_',
    'x); drop table agent; --',
    'chain = 97 OR true',
    '*',
    '\\',
    '`',
    '?',
    '$1',
    '{NOW}',
  ]

  test('are plain data in every query of every list', async () => {
    const all = await Promise.all(
      ['/agents', '/services', '/tasks', '/pricing/agents', '/rankings'].map(path => get(market.url, path)),
    )
    expect(new Set(all.map(it => it.status))).toEqual(new Set([200]))
    for (const text of odd.map(encodeURIComponent)) {
      const nothing = await Promise.all([
        get(market.url, `/agents/${text}`),
        get(market.url, `/agents/handle/${text}`),
        get(market.url, `/users/${text}/agents`),
        get(market.url, `/services/${text}`),
        get(market.url, `/tasks/${text}`),
        get(market.url, `/v1/jobs/${text}`),
        get(market.url, `/runs/${text}`, owner.token),
        get(market.url, `/conversations/${text}/history`, owner.token),
      ])
      expect(nothing.every(it => it.status === 404 || /"(?:agents|messages)":\[\]/.test(it.text))).toBe(true)
      const listed = await Promise.all(
        ['/agents?sort=', '/agents?chain_id=', '/tasks?query=', '/tasks?status=', '/rankings?metric='].map(at =>
          get(market.url, `${at}${text}`),
        ),
      )
      for (const it of listed) expect([200, 422]).toContain(it.status)
    }
  })
})

test('row 46: only its owner sets the price of a call, exactly, and an open proposal keeps its price', async () => {
  const path = (id: string, user = owner) => `/users/${user.wallet}/agents/${id}/pricing`
  const { agent_id } = registered.parse((await register({ handle: 'called', job_offerings: [offering()] })).json)
  for (const amount of [-1, 0.30000000000000004, 1e9, '-0.1', 'much'])
    expect([amount, (await put(path(agent_id), { amount }, owner)).status]).toEqual([amount, 422])
  expect(await put(path(agent_id), { amount: 1 }, stranger)).toMatchObject({ status: 404 })
  expect(await put(path(agent_id, stranger), { amount: 1 }, stranger)).toMatchObject({ status: 404 })
  const { say } = talk(stranger)
  const proposed = await say('Hire agent called to fold a paper crane')
  expect(await put(path(agent_id), { amount: 7 }, owner)).toMatchObject({ status: 200, json: { amount: 7 } })
  expect((await readRun(stranger, proposed.run_id)).proposal).toEqual(proposed.data.proposal)
  expect(proposed.data.proposal).toMatchObject({ total: '0.01' })
})

test('row 48: hiring one’s own agent does not raise its rank, and hires by others do', async () => {
  const selfish = await provider(market, plain('0.01'), 'selfish')
  const self = await market.user('owner-selfish')
  const ranking = async () =>
    z.array(z.object({ handle: z.string(), score: z.number() })).parse((await get(market.url, '/rankings?metric=tasks')).json)
  const hireBy = async (user: User) => {
    const { say } = talk(user)
    const { run_id } = await say('Hire agent selfish to write a haiku')
    await say('yes', 0)
    await selfish.deliver((await selfish.take()).job_id, 'Splash')
    await rested(user, run_id)
  }
  await hireBy(self)
  expect((await ranking()).map(it => it.handle)).not.toContain('selfish')
  await hireBy(stranger)
  expect(await ranking()).toContainEqual({ handle: 'selfish', score: 1 })
  const scored = z
    .array(
      z.object({ handle: z.string(), explain: z.object({ reputation, explanation: z.looseObject({ formula: z.string() }) }) }),
    )
    .parse((await get(market.url, '/rankings?metric=score&explain=true')).json)
  const { explain } = scored.find(it => it.handle === 'selfish') ?? {}
  expect(explain?.reputation).toMatchObject({ judged: 1, accepted: 1, payers: 1, version: reputationVersion })
  expect(explain?.explanation).toMatchObject({ weighted_judged: 1, punctuality: 1, payers: [{ judged: 1, accepted: 1 }] })
  const { offerings } = z
    .object({ offerings: z.array(z.object({ agent_handle: z.string(), reputation })) })
    .parse((await get(market.url, '/offerings/search?query=haiku')).json)
  expect(offerings.find(it => it.agent_handle === 'selfish')?.reputation).toEqual({
    ...explain?.reputation,
    last_seen: expect.any(String),
    score: expect.closeTo(explain?.reputation.score ?? 0, 3),
  })
})
