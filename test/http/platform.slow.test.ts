import { type Schema, Validator } from '@cfworker/json-schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cityClock } from '../../docs/examples/agents/cityClock.ts'
import type { RunningAgent } from '../../src/kit/kit.ts'
import { freshKey, plain, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { addPaidJobs } from '../store/rows.ts'
import { get, post, send, untilFindable } from './wire.ts'

// The requests that existing clients send to the platform, and the members of the responses that they read.

let market: TestService
let clock: RunningAgent
let ada: User
let bob: User
let hiredRun: string
let document: z.infer<typeof openapi>
const openapi = z.looseObject({
  components: z.looseObject({}),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.looseObject({}) }))),
})

beforeAll(async () => {
  market = await startTestService()
  const { url } = market
  clock = await cityClock({ platformUrl: url, credential: freshKey(), pollPauseMs: 20 }).start()
  await market.agent({ handle: 'free-poet', offerings: [plain('0')], handler: () => 'An old silent pond' })
  await untilFindable(url, 'time in Tokyo', 'city-clock')
  ada = await market.user('ada')
  bob = await market.user('bob')
  const { say } = talk(ada, 'cli-1')
  await say('What time is it in Tokyo?')
  hiredRun = (await say('yes')).run_id
  document = openapi.parse((await get(url, '/openapi.json')).json)
})
afterAll(async () => {
  await clock?.stop()
  await market?.stop()
})

const schemaOf = z.looseObject({
  '200': z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })) }),
})

/** Checks a response against the OpenAPI document of its route and returns it. The tests check what clients read in it. */
const promised = <T extends z.ZodType>(route: string, schema: T, answer: { status: number; json: unknown }): z.output<T> => {
  expect([route, answer.status, answer.status === 200 ? '' : answer.json]).toEqual([route, 200, ''])
  const [method = '', path = ''] = route.split(' ')
  const { content } = schemaOf.parse(document.paths[path]?.[method]?.responses)['200']
  const wanted: Schema = { ...content['application/json']?.schema, components: document.components }
  expect([route, new Validator(wanted, '2020-12').validate(answer.json).errors]).toEqual([route, []])
  return schema.parse(answer.json)
}
type Sender = { token?: string | undefined; ifMatch?: string | undefined }
const change = (method: 'PUT' | 'DELETE', path: string, body: unknown, by: string | Sender = {}) => {
  const { token, ifMatch } = typeof by === 'string' ? { token: by } : by
  return send(market.url, {
    method,
    path,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    body: JSON.stringify(body),
  })
}

const agent = z.looseObject({
  agent_id: z.string(),
  handle: z.string(),
  name: z.string(),
  metadata: z.looseObject({}),
  skills: z.array(z.unknown()),
})

/** Registers an agent with bob's token. */
const ofBob = async (handle: string, more: Record<string, unknown> = {}) => {
  const body = {
    handle,
    name: handle,
    chain_id: 97,
    job_offerings: [{ id: 'x', name: 'Paint', price_v2: { type: 'fixed', amount: 1 } }],
    ...more,
  }
  const { json } = await post(market.url, '/agents/register', body, bob.token)
  return z.object({ agent_id: z.string() }).parse(json).agent_id
}

describe('agents', () => {
  test('of a user are listed in an envelope with counts, for user:0x…, 0x… and any letter case alike', async () => {
    const id = await ofBob('bobs-brush')
    const schema = z.object({
      agents: z.array(agent),
      total: z.number(),
      limit: z.literal(500),
      offset: z.literal(0),
    })
    for (const name of [bob.wallet, `user:${bob.wallet}`, bob.wallet.toUpperCase().replace('0X', '0x')]) {
      const { agents } = promised(
        'get /users/{user_id}/agents',
        schema,
        await get(market.url, `/users/${name}/agents?limit=1000&offset=0`),
      )
      expect(agents.map(it => it.agent_id)).toContain(id)
    }
    const nobody = await get(market.url, '/users/system/agents')
    expect(nobody.json).toEqual({ agents: [], total: 0, limit: 100, offset: 0 })
  })

  test('can be registered at the path of older clients with the same bodies and rules', async () => {
    const body = { handle: 'old-timer', name: 'Old timer', chain_id: 97 }
    const path = `/users/user:${bob.wallet}/agents/register`
    const made = await post(market.url, path, body, bob.token)
    const { agent_id } = promised('post /users/{user_id}/agents/register', z.looseObject({ agent_id: z.string() }), made)
    expect((await post(market.url, '/agents/register', body, bob.token)).json).toMatchObject({ agent_id })
    expect((await post(market.url, path, body)).status).toBe(401)
    expect((await post(market.url, path, body, ada.token)).status).toBe(401)
  })

  test('of the caller are a bare list, without those of others', async () => {
    const id = await ofBob('bobs-pen')
    const mine = promised('get /my-agents', z.array(agent), await get(market.url, '/my-agents?chain_id=97', bob.token))
    expect(mine.map(it => it.agent_id)).toContain(id)
    expect((await get(market.url, '/my-agents', ada.token)).json).toEqual([])
    expect((await get(market.url, '/my-agents')).status).toBe(401)
  })

  test('are changed by their owner, and neither their identity nor anything by a stranger or an anonymous caller', async () => {
    const id = await ofBob('bobs-chisel')
    const patch = { description: 'Carves.', job_offerings: [{ id: 'y', name: 'Carve', price: 2 }] }
    const changed = promised(
      'put /agents/{agent}',
      agent.extend({ description: z.string(), job_offerings: z.array(z.looseObject({ id: z.string() })) }),
      await change('PUT', `/agents/${id}`, patch, bob.token),
    )
    expect(changed).toMatchObject({ description: 'Carves.', name: 'bobs-chisel', job_offerings: [{ id: 'y' }] })
    const before = (await get(market.url, `/agents/${id}`)).json
    expect(await change('PUT', `/agents/${id}`, { handle: 'stolen' }, bob.token)).toMatchObject({
      status: 422,
      code: 'immutable-field',
    })
    expect(await change('PUT', `/agents/${id}`, patch, ada.token)).toMatchObject({ status: 404, code: 'agent-not-found' })
    expect((await change('PUT', `/agents/${id}`, patch)).status).toBe(401)
    expect((await change('PUT', `/agents/${id}`, { job_offerings: [{ id: 'z', name: 'z', price: -1 }] }, bob.token)).status).toBe(
      422,
    )
    expect((await get(market.url, `/agents/${id}`)).json).toEqual(before)
  })

  test('are changed by a conditional request only in the state that it names', async () => {
    const path = `/agents/${await ofBob('bobs-easel')}`
    const tagOf = async () => (await get(market.url, path)).headers.etag
    const put = (description: string, ifMatch: string | undefined, token: string | undefined = bob.token) =>
      change('PUT', path, { description }, { token, ifMatch })
    const first = await tagOf()
    expect(first).toMatch(/^"[^"]+"$/)
    expect((await get(market.url, '/agents/handle/bobs-easel', bob.token)).headers.etag).toBe(first)
    const made = await put('One', first)
    expect(made).toMatchObject({ status: 200, json: { description: 'One' } })
    const second = await tagOf()
    expect([second === first, made.headers.etag]).toEqual([false, undefined])
    for (const tag of [first, `W/${second}`, `${first}, "other"`, 'no tag', ''])
      expect([tag, await put('Two', tag)]).toMatchObject([tag, { status: 412, code: 'precondition-failed' }])
    expect((await get(market.url, path)).json).toMatchObject({ description: 'One' })
    expect((await put('Two', second, ada.token)).status).toBe(404)
    expect(await put('Two', `"other" , ${second}`)).toMatchObject({ status: 200 })
    expect(await put('Three', '*')).toMatchObject({ status: 200 })
    expect(await put('Four', undefined)).toMatchObject({ status: 200 })
    const last = await tagOf()
    await change('DELETE', `/users/${bob.wallet}${path}`, {}, bob.token)
    expect(await put('Back', last)).toMatchObject({ status: 412 })
  })

  test('that are retired are on no list and cannot be hired, and registering again restores them', async () => {
    const id = await ofBob('bobs-kiln')
    const path = `/users/user:${bob.wallet}/agents/${id}`
    expect((await change('DELETE', path, {}, ada.token)).status).toBe(404)
    promised(
      'delete /users/{user_id}/agents/{agent}',
      z.object({ status: z.literal('retired') }),
      await change('DELETE', path, {}, bob.token),
    )
    const listed = async () => JSON.stringify((await get(market.url, '/agents?pageSize=100')).json).includes(id)
    expect(await listed()).toBe(false)
    expect((await get(market.url, `/services/${id}:x`)).code).toBe('offering-not-found')
    expect(await ofBob('bobs-kiln', { description: 'again' })).toBe(id)
    expect(await listed()).toBe(true)
  })

  test('have a price of direct calls that anyone reads and only the owner sets, with exact decimals', async () => {
    const id = await ofBob('bobs-lathe')
    const path = `/users/user:${bob.wallet}/agents/${id}/pricing`
    const pricing = z.object({
      identifier: z.literal(id),
      amount: z.number(),
      currency: z.string(),
      metadata: z.record(z.string(), z.unknown()),
    })
    expect(promised('get /users/{user_id}/agents/{agent}/pricing', pricing, await get(market.url, path)).amount).toBe(0)
    expect(
      promised(
        'put /users/{user_id}/agents/{agent}/pricing',
        pricing,
        await change('PUT', path, { identifier: id, amount: 0.002 }, bob.token),
      ).amount,
    ).toBe(0.002)
    for (const amount of [-1, 0.0000001, 'much', null])
      expect((await change('PUT', path, { amount }, bob.token)).status).toBe(422)
    expect((await change('PUT', path, { amount: 9, currency: 'EUR' }, bob.token)).code).toBe('invalid-price')
    expect((await change('PUT', path, { amount: 9 }, ada.token)).status).toBe(404)
    expect((await change('PUT', path, { amount: 9 })).status).toBe(401)
    expect(promised('get /users/{user_id}/agents/{agent}/pricing', pricing, await get(market.url, path)).amount).toBe(0.002)
    const list = z.object({
      prices: z.array(z.looseObject({ identifier: z.string() })),
      total: z.number(),
      limit: z.number(),
      offset: z.number(),
    })
    const { prices } = promised('get /pricing/agents', list, await get(market.url, '/pricing/agents?limit=100&offset=0'))
    expect(prices).toContainEqual(expect.objectContaining({ identifier: id, amount: 0.002 }))
  })

  test('have payments in a bare list, which is empty for an unknown agent', async () => {
    const item = z.object({
      type: z.literal('payment_settled'),
      destination: z.string(),
      amount: z.literal(0.05),
      currency: z.literal('USDC'),
      ts: z.string(),
      tx_url: z.string(),
    })
    const path = `/agents/${clock.agentId()}/events?limit=10&types=payment_settled,memory_uploaded`
    expect(promised('get /agents/{agent}/events', z.array(item), await get(market.url, path))).toHaveLength(1)
    for (const none of ['/agents/nobody/events', `/agents/${clock.agentId()}/events?types=memory_uploaded`])
      expect((await get(market.url, none)).json).toEqual([])
  })

  test('have earnings by period that their owner reads exactly, over more payments than a list shows', async () => {
    const agentId = await ofBob('bobs-till')
    const amounts = Array.from({ length: 120 }, (_, at) => 1_000_000n + BigInt(at))
    const { store } = market.service.world.deps
    await store.atomically(tables => addPaidJobs(tables, amounts, { agentId }))
    const read = (starts: string, token: string | undefined = bob.token) =>
      get(market.url, `/agents/${agentId}/earnings?starts=${encodeURIComponent(starts)}`, token)
    const [yesterday = '', today = ''] = [86_400_000, 3_600_000].map(ms => new Date(Date.now() - ms).toISOString())
    const sums = z.array(z.object({ from: z.string(), amount: z.string(), currency: z.literal('USDC') }))
    expect(promised('get /agents/{agent}/earnings', sums, await read(`${yesterday},${today}`))).toEqual([
      { from: yesterday, amount: '0', currency: 'USDC' },
      { from: today, amount: '120.00714', currency: 'USDC' },
    ])
    for (const wrong of ['', 'now', `${today},${yesterday}`, Array.from({ length: 33 }, () => today).join()])
      expect([wrong, (await read(wrong)).status]).toEqual([wrong, 422])
    expect((await read(today, ada.token)).status).toBe(404)
    expect((await get(market.url, `/agents/${agentId}/earnings?starts=${today}`)).status).toBe(401)
  })

  test('form a group, and one that does not exist is named by its position', async () => {
    const body = {
      group_name: 'clocks',
      display_name: 'Clocks',
      member_agent_ids: [clock.agentId()],
      price: { amount: 1, currency: 'USD' },
      metadata: {},
    }
    promised(
      'post /agents/groups/register',
      z.object({ group_id: z.string().startsWith('group_') }),
      await post(market.url, '/agents/groups/register', body),
    )
    const wrong = await post(market.url, '/agents/groups/register', { ...body, member_agent_ids: [clock.agentId(), 'nobody'] })
    expect(wrong).toMatchObject({ status: 404, json: { pointer: '/member_agent_ids/1' } })
  })
})

describe('the butler', () => {
  test('row 45: is inactive with 404 until it is activated, once for each wallet and chain', async () => {
    const path = `/butler?chain_id=97&wallet_address=user:${bob.wallet}`
    expect(await get(market.url, path, bob.token)).toMatchObject({ status: 404, code: 'orchestrator-inactive' })
    const active = z.looseObject({
      agent_id: z.string().regex(/^erc8004:butler\.[0-9a-f]{8}$/),
      wallet_address: z.string(),
      chain_id: z.literal(97),
    })
    const body = { chain_id: 97, wallet_address: `user:${bob.wallet}` }
    const first = promised(
      'post /butler/activate',
      active.extend({ status: z.literal('activated') }),
      await post(market.url, '/butler/activate', body, bob.token),
    )
    const again = promised('post /butler-v2/activate', active, await post(market.url, '/butler-v2/activate', {}, bob.token))
    expect(again).toEqual(first)
    const { status: _status, ...record } = first
    expect(promised('get /butler', active, await get(market.url, path, bob.token))).toEqual(record)
    promised(
      'get /butler/stats',
      z.looseObject({ total_jobs: z.literal(0) }),
      await get(market.url, '/butler/stats?chain_id=97', bob.token),
    )
    expect((await get(market.url, '/butler?chain_id=56', bob.token)).status).toBe(404)
    expect((await post(market.url, '/butler/activate', { chain_id: 56 }, bob.token)).code).toBe('chain-not-supported')
    expect((await post(market.url, '/butler/activate', { chain_id: 97, wallet_address: ada.wallet }, bob.token)).status).toBe(401)
    expect((await get(market.url, path)).status).toBe(401)
  })

  test('accepts messages under its own id, and no other user does', async () => {
    const { json } = await post(market.url, '/butler/activate', {}, ada.token)
    const { agent_id } = z.object({ agent_id: z.string() }).parse(json)
    const said = await post(market.url, `/invoke/${encodeURIComponent(agent_id)}`, { message: 'hello' }, ada.token)
    expect(promised('post /invoke/{agent}', z.looseObject({ content: z.string() }), said).content).toContain('Hello')
    expect((await post(market.url, `/invoke/${encodeURIComponent(agent_id)}`, { message: 'hello' }, bob.token)).status).toBe(404)
  })

  test('remembers a conversation for its user', async () => {
    const list = z.object({
      conversations: z.array(
        z.object({
          conversation_id: z.string(),
          title: z.string(),
          last_message: z.string(),
          message_count: z.number(),
          updated_at: z.string(),
        }),
      ),
    })
    const { conversations } = promised('get /conversations', list, await get(market.url, '/conversations?chain_id=97', ada.token))
    const talked = conversations.find(it => it.conversation_id === 'cli-1')
    expect(talked).toMatchObject({
      title: 'What time is it in Tokyo?',
      message_count: 4,
      last_message: expect.stringContaining('delivered'),
    })
    const history = z.object({
      conversation_id: z.literal('cli-1'),
      messages: z.array(z.object({ role: z.string(), content: z.string() })),
    })
    const { messages } = promised(
      'get /conversations/{conversation_id}/history',
      history,
      await get(market.url, '/conversations/cli-1/history?chain_id=97', ada.token),
    )
    expect(messages.map(it => it.role)).toEqual(['user', 'agent', 'user', 'agent'])
    expect((await get(market.url, '/conversations/cli-1/history', bob.token)).json).toEqual({
      conversation_id: 'cli-1',
      messages: [],
    })
    expect((await get(market.url, '/conversations', bob.token)).json).toEqual({ conversations: [] })
  })
})

describe('calls', () => {
  test('to a free agent are run at once for anyone, and the run is found by its id alone', async () => {
    const answer = z.looseObject({ run_id: z.string(), success: z.literal(true), content: z.string() })
    const { run_id, content } = promised(
      'post /invoke/{agent}',
      answer,
      await post(market.url, '/invoke/free-poet', { objective: 'A haiku, please' }),
    )
    expect(content).toContain('An old silent pond')
    const events = await get(market.url, `/runs/${run_id}/events`)
    expect(JSON.stringify(events.json)).toContain('job.settled')
    expect((await get(market.url, `/runs/${run_id}/payments`)).json).toEqual([])
  })

  test('without a token get a proposal that nobody can accept', async () => {
    const proposed = await post(market.url, '/invoke', {
      message: 'What time is it in Tokyo?',
      context: { conversation_id: 'open' },
    })
    expect(proposed.json).toMatchObject({ success: true, data: { state: 'awaiting-confirmation' } })
    expect(JSON.stringify(proposed.json)).toContain('with your token')
    const yes = await post(market.url, '/invoke', { message: 'yes', context: { conversation_id: 'open' } })
    expect(yes.json).toMatchObject({ data: { state: 'completed' } })
    expect(JSON.stringify(yes.json)).not.toContain('job_id')
  })

  test('to an agent with a price get a proposal in the conversation of the caller, and a yes hires', async () => {
    const at = { context: { conversation_id: 'direct' } }
    const proposed = await post(
      market.url,
      `/invoke/${clock.agentId()}`,
      { message: 'What time is it in Oslo?', ...at },
      ada.token,
    )
    expect(proposed.json).toMatchObject({ data: { state: 'awaiting-confirmation', proposal: { agentHandle: 'city-clock' } } })
    const done = await post(market.url, '/invoke', { message: 'yes', ...at }, ada.token)
    expect(done.json).toMatchObject({ data: { state: 'completed', job: { state: 'settled' } } })
  })

  test('to another agent are a task of their own, and the waiting proposal keeps waiting', async () => {
    const at = { context: { conversation_id: 'two agents' } }
    const proposed = z
      .looseObject({ run_id: z.string(), data: z.looseObject({ state: z.literal('awaiting-confirmation') }) })
      .parse(
        (await post(market.url, `/invoke/${clock.agentId()}`, { message: 'What time is it in Rome?', ...at }, ada.token)).json,
      )
    const called = await post(market.url, '/invoke/free-poet', { message: 'yes', ...at }, ada.token)
    expect(called.json).toMatchObject({ data: { state: 'completed' } })
    expect(called.json).not.toMatchObject({ run_id: proposed.run_id })
    const no = await post(market.url, '/invoke', { message: 'no', ...at }, ada.token)
    expect(no.json).toMatchObject({ run_id: proposed.run_id, content: 'All right, I did not hire anyone for this.' })
    expect(no.json).toMatchObject({ data: { state: 'completed' }, payments: [] })
    expect(JSON.stringify(no.json)).not.toContain('job_id')
  })

  test('to an agent that does not exist are not found', async () => {
    expect(await post(market.url, '/invoke/nobody', { message: 'hi' })).toMatchObject({ status: 404, code: 'agent-not-found' })
  })

  test('are listed as runs for their user and for nobody else', async () => {
    const runs = z.object({
      runs: z.array(z.looseObject({ run_id: z.string(), status: z.string() })),
      total: z.number(),
      limit: z.literal(50),
      offset: z.literal(0),
    })
    const list = promised(
      'get /users/{user_id}/runs',
      runs,
      await get(market.url, `/users/user:${ada.wallet}/runs?limit=50&offset=0`, ada.token),
    )
    expect(list.runs).toContainEqual(expect.objectContaining({ run_id: hiredRun, status: 'completed' }))
    expect(list.total).toBe(list.runs.length)
    expect((await get(market.url, `/users/${ada.wallet}/runs`, bob.token)).status).toBe(404)
    expect((await get(market.url, `/users/${ada.wallet}/runs`)).status).toBe(401)
    expect((await get(market.url, `/runs/${hiredRun}/events`, bob.token)).status).toBe(404)
    expect((await get(market.url, `/runs/${hiredRun}/events`)).status).toBe(401)
  })
})

describe('posted jobs', () => {
  const record = z.looseObject({
    job_id: z.string(),
    status: z.string(),
    reward_amount: z.number(),
    provider_id: z.string(),
    metadata: z.looseObject({}),
  })
  const open = async (more: Record<string, unknown> = {}, query = 'client_id=agent_uuid_client_123') => {
    const body = {
      description: 'Sum it up',
      reward_amount: 0.0001,
      reward_token: 'USDC',
      expires_in: 86400,
      metadata: { chain_id: 84532 },
      ...more,
    }
    return promised('post /v1/jobs', record, await post(market.url, `/v1/jobs?${query}`, body))
  }
  const step = (id: string, verb: string, body: unknown, query = '') => post(market.url, `/v1/jobs/${id}/${verb}${query}`, body)

  test('are moved by hand from open to completed without money, under ids that clients choose', async () => {
    const { job_id, status } = await open()
    expect(status).toBe('open')
    const submitted = await step(job_id, 'submit', { provider_id: 'prov_9', deliverable_data: { sum: 3 }, description: 'done' })
    expect(promised('post /v1/jobs/{job_id}/submit', record, submitted).status).toBe('submitted')
    const read = promised('get /v1/jobs/{job_id}', record, await get(market.url, `/v1/jobs/${job_id}`))
    expect(read).toMatchObject({
      status: 'submitted',
      metadata: { deliverable_data: { sum: 3 } },
      chain_id: 84532,
      provider_id: 'prov_9',
    })
    const completed = await step(job_id, 'complete', { evaluator_id: 'eval_1', reason: 'fits' })
    expect(promised('post /v1/jobs/{job_id}/complete', record, completed)).toMatchObject({
      status: 'completed',
      escrow: { state: 'none' },
    })
  })

  test('are accepted by one provider; a repeated request gets the same answer, and another provider is refused', async () => {
    const { job_id } = await open()
    const accept = (who: string) => send(market.url, { method: 'POST', path: `/v1/jobs/${job_id}/accept?provider_id=${who}` })
    expect(promised('post /v1/jobs/{job_id}/accept', record, await accept('a')).status).toBe('accepted')
    expect((await accept('a')).status).toBe(200)
    expect(await accept('b')).toMatchObject({ status: 409, code: 'job-taken' })
    expect((await step(job_id, 'submit', { provider_id: 'b', deliverable_data: 1 })).code).toBe('job-taken')
    expect((await step(job_id, 'complete', { evaluator_id: 'e' })).code).toBe('job-already-closed')
  })

  test('are given to one of many providers that accept concurrently', async () => {
    const { job_id } = await open()
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(it => step(job_id, 'accept', {}, `?provider_id=${it}`)))
    expect(answers.map(it => it.status).sort()).toEqual([200, 409, 409, 409])
  })

  test('are rejected by their participants only, and stay rejected', async () => {
    const { job_id } = await open({}, 'client_id=c')
    expect((await step(job_id, 'reject', { reason: 'no' }, '?rejector_id=stranger')).status).toBe(409)
    expect(
      promised('post /v1/jobs/{job_id}/reject', record, await step(job_id, 'reject', { reason: 'no' }, '?rejector_id=c')).status,
    ).toBe('rejected')
    expect((await step(job_id, 'submit', { provider_id: 'p', deliverable_data: 1 })).code).toBe('job-already-closed')
  })

  test('of a client with a token are changed on behalf of the client only with that token', async () => {
    const body = { description: 'Mine', reward_amount: 1 }
    const mine = await post(market.url, `/v1/jobs?client_id=user:${ada.wallet}`, body, ada.token)
    const { job_id } = record.parse(mine.json)
    expect((await step(job_id, 'reject', {}, `?rejector_id=${ada.wallet}`)).status).toBe(401)
    expect((await post(market.url, `/v1/jobs?client_id=${ada.wallet}`, body, bob.token)).status).toBe(401)
    const rejected = await post(market.url, `/v1/jobs/${job_id}/reject?rejector_id=${ada.wallet}`, {}, ada.token)
    expect(rejected.json).toMatchObject({ status: 'rejected' })
  })

  test('are one bare list with hires for their participants, and a hire is invisible to others', async () => {
    await post(market.url, `/v1/jobs?client_id=${ada.wallet}`, { description: 'List me', reward_amount: 1 }, ada.token)
    const jobs = promised('get /my-jobs', z.array(record), await get(market.url, '/my-jobs?role=client&chain_id=97', ada.token))
    expect(jobs.map(it => it.status)).toEqual(expect.arrayContaining(['open', 'completed']))
    const hired = jobs.find(it => it.reward_amount === 0.05)
    expect(hired?.metadata).toMatchObject({ run_id: expect.any(String) })
    expect((await get(market.url, `/v1/jobs/${hired?.job_id}`, bob.token)).code).toBe('job-not-found')
    expect((await get(market.url, `/v1/jobs/${hired?.job_id}`)).code).toBe('job-not-found')
    expect((await get(market.url, `/v1/jobs/${hired?.job_id}`, ada.token)).status).toBe(200)
    expect((await get(market.url, '/my-jobs?role=provider', ada.token)).json).toEqual([])
  })

  test('are shown on the board as tasks with one place', async () => {
    const { job_id } = await open({ description: 'Find the needle\nin the haystack' })
    const task = z.looseObject({
      task_id: z.string(),
      title: z.string(),
      total_slots: z.literal(1),
      remaining_slots: z.number(),
      completions: z.array(z.unknown()),
    })
    const list = z.object({ data: z.array(task), total: z.number() })
    const { data } = promised(
      'get /tasks',
      list,
      await get(market.url, '/tasks?chain_id=84532&limit=20&offset=0&status=open&query=NEEDLE'),
    )
    expect(data).toMatchObject([{ task_id: job_id, title: 'Find the needle', remaining_slots: 1 }])
    promised('get /tasks/{task_id}', task, await get(market.url, `/tasks/${job_id}`))
    expect((await get(market.url, '/tasks/none')).status).toBe(404)
  })
})

describe('the market', () => {
  test('lists services by pages, and each at its id', async () => {
    const service = z.looseObject({
      id: z.string(),
      price: z.string(),
      price_v2: z.looseObject({ amount: z.number(), symbol: z.string() }),
      tags: z.array(z.string()),
    })
    const list = z.object({ data: z.array(service), total: z.number(), page: z.literal(1), pageSize: z.literal(100) })
    const { data, total } = promised('get /services', list, await get(market.url, '/services?chain_id=97&page=1&pageSize=100'))
    expect(total).toBe(data.length)
    const clockService = data.find(it => it.id.startsWith(clock.agentId()))
    expect(clockService).toMatchObject({ price: '0.05', price_v2: { amount: 0.05 } })
    expect(
      promised(
        'get /services/{service_id}',
        service,
        await get(market.url, `/services/${encodeURIComponent(clockService?.id ?? '')}`),
      ),
    ).toMatchObject({ ...clockService })
    for (const id of ['nothing', '97:0x:1', `${clock.agentId()}:%25`, `${clock.agentId()}:none`])
      expect([id, (await get(market.url, `/services/${encodeURIComponent(id)}`)).status]).toEqual([id, 404])
  })

  test('row 47: ranks agents by earnings, in a bare list that is the same when it is read again', async () => {
    const rows = z.array(
      z.object({
        rank: z.number(),
        agent_id: z.string(),
        handle: z.string(),
        name: z.string(),
        avatar: z.string(),
        score: z.number(),
        metric: z.string(),
        verified: z.boolean(),
      }),
    )
    const ranked = promised('get /rankings', rows, await get(market.url, '/rankings?metric=revenue&limit=10'))
    expect(ranked[0]).toMatchObject({ rank: 1, agent_id: clock.agentId(), metric: 'revenue' })
    expect((await get(market.url, '/rankings?metric=revenue&limit=10')).json).toEqual(ranked)
    expect((await get(market.url, '/rankings?metric=tasks')).status).toBe(200)
    for (const bad of ['metric=beauty', 'limit=0', 'limit=1000000000'])
      expect((await get(market.url, `/rankings?${bad}`)).status).toBe(422)
  })

  test('has statistics of its size', async () => {
    const names = [
      'total_agents',
      'total_services',
      'total_tasks',
      'total_revenue',
      'agents_growth_30d',
      'services_growth_30d',
      'tasks_growth_30d',
      'revenue_growth_30d',
      'agents_online',
      'jobs_24h',
      'revenue_24h',
    ]
    const stats = promised(
      'get /stats/summary',
      z.record(z.string(), z.number()),
      await get(market.url, '/stats/summary?chain_id=97'),
    )
    expect(Object.keys(stats).sort()).toEqual(names.sort())
    expect(stats.total_revenue).toBeGreaterThanOrEqual(0.05)
    expect((await get(market.url, '/stats/summary?chain_id=56')).json).toMatchObject({ total_agents: 0, total_revenue: 0 })
  })
})

describe('accounts', () => {
  test('show everybody their own data, and nobody a stranger’s', async () => {
    const users = z.object({
      users: z.array(z.object({ user_id: z.string(), wallet_address: z.string() })),
      total: z.number(),
      limit: z.number(),
      offset: z.number(),
    })
    expect(promised('get /accounts/users', users, await get(market.url, '/accounts/users?limit=10&offset=0')).users).toEqual([])
    expect(promised('get /accounts/users', users, await get(market.url, '/accounts/users', ada.token)).users).toHaveLength(1)
    const made = await post(market.url, '/accounts/users/register', { wallet_address: ada.wallet, email: 'ada@example.org' })
    expect(promised('post /accounts/users/register', z.looseObject({ user_id: z.string() }), made).user_id).toBe(
      `user:${ada.wallet.toLowerCase()}`,
    )
  })

  test('accept no private key', async () => {
    const refused = await post(market.url, '/accounts/users/register-with-key', { private_key: freshKey().privateKey })
    expect(refused).toMatchObject({ status: 410, code: 'key-refused' })
    expect(refused.text).not.toContain('0x')
  })
})
