import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain } from '../hire/market.ts'
import { send } from '../http/wire.ts'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let ada: User
let bob: User
let agentId: string
let counted: () => Promise<number>
beforeAll(async () => {
  market = await startTestService()
  const poet = await market.agent({ handle: 'poet', offerings: [plain('0.01')], handler: () => 'Splash' })
  agentId = poet.agentId()
  ada = await market.user('ada')
  bob = await market.user('bob')
  const ofAda = z.object({ total: z.number() })
  counted = async () => ofAda.parse(await ada.client.get(`/users/${ada.wallet}/runs`)).total
})
afterAll(() => market?.stop())

type Keyed = { key: string; body: Record<string, unknown>; user?: User }

const ask = (path: string, { key, body, user = ada }: Keyed) =>
  send(market.url, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${user.token}`, 'idempotency-key': key },
    body: JSON.stringify(body),
  })

/** Every request that moves money or creates something, with its body and a different body for the same key. */
const calls = (): [path: string, body: Record<string, unknown>, other: Record<string, unknown>][] => [
  ['/invoke', { message: 'Hire nobody to do nothing' }, { message: 'Hire nobody to do something' }],
  ['/invoke/poet', { message: 'Write a haiku' }, { message: 'Write two haikus' }],
  ['/v1/hires', { task: 'Hire nobody to do nothing' }, { task: 'Hire nobody to do something' }],
  ['/agents/groups/register', { group_name: 'g', member_agent_ids: [agentId] }, { group_name: 'h', member_agent_ids: [agentId] }],
  ['/agents/register', { handle: 'keyed' }, { handle: 'keyed', description: 'changed' }],
]

/** How many of these requests start a run. */
const runs = 3

/** The ids in a response that distinguish one created thing from another. */
const made = z
  .object({ run_id: z.string() })
  .or(z.object({ job_id: z.string() }))
  .or(z.object({ group_id: z.string() }))
const thing = (json: unknown) => made.or(z.object({ agent_id: z.string() })).parse(json)

test('row 44: a repeated request with the same key has one effect and one answer, also five times concurrently', async () => {
  for (const [path, body] of calls()) {
    const key = randomUUID()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ask(path, { key, body })))
    const again = await ask(path, { key, body })
    expect([path, [...answers, again].map(it => it.status)]).toEqual([path, [200, 200, 200, 200, 200, 200]])
    expect(new Set([...answers, again].map(it => JSON.stringify(thing(it.json)))).size, path).toBe(1)
  }
  expect(await counted()).toBe(runs)
})

test('row 44: another request under a used key is refused and has no effect', async () => {
  const before = await counted()
  for (const [path, body, other] of calls()) {
    const key = randomUUID()
    expect([path, (await ask(path, { key, body })).status]).toEqual([path, 200])
    expect([path, await ask(path, { key, body: other })]).toMatchObject([path, { status: 409, code: 'idempotency-conflict' }])
  }
  expect(await counted()).toBe(before + runs)
})

test('row 44: the same key of two users is independent', async () => {
  for (const [path, body] of calls().filter(([at]) => at !== '/agents/register')) {
    const key = randomUUID()
    const [mine, theirs] = await Promise.all([ask(path, { key, body }), ask(path, { key, body, user: bob })])
    expect([path, mine.status, theirs.status]).toEqual([path, 200, 200])
    expect(thing(mine.json), path).not.toEqual(thing(theirs.json))
  }
})

test('row 44: a yes and a cancellation are bound to their key and pay once, and a key of 256 characters is refused', async () => {
  const run = z.object({ run_id: z.string(), proposal: z.object({ digest: z.string() }) })
  const asked = await ask('/v1/hires', { key: randomUUID(), body: { task: 'Hire agent poet to write a haiku' } })
  const { run_id, proposal } = run.parse(asked.json)
  const [path, key] = [`/v1/hires/${run_id}/confirm`, randomUUID()]
  const yes = { digest: proposal.digest, decision: 'yes' }
  const answers = await Promise.all([1, 2, 3].map(() => ask(path, { key, body: yes })))
  expect(answers.map(it => it.status)).toEqual([200, 200, 200])
  expect(await ask(path, { key, body: { ...yes, decision: 'no' } })).toMatchObject({ status: 409, code: 'idempotency-conflict' })
  expect(await ada.client.get(`/balances/${ada.proxy}`)).toMatchObject({ usdc: '24.99' })
  const cancel = randomUUID()
  const late = await ask(`/v1/hires/${run_id}/cancel`, { key: cancel, body: {} })
  expect(late).toMatchObject({ status: 409, code: 'job-already-closed' })
  expect(await ask('/v1/hires/run_other/cancel', { key: cancel, body: {} })).toMatchObject({
    status: 409,
    code: 'idempotency-conflict',
  })
  for (const [at, body] of calls())
    expect(await ask(at, { key: 'k'.repeat(256), body })).toMatchObject({ status: 422, code: 'invalid-input' })
})
