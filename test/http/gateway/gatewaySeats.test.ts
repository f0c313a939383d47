import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { minuteMs } from '../../../src/domain/durations.ts'
import { talk } from '../../hire/market.ts'
import { createTestClock, startTestService, type TestService, until } from '../../service.ts'
import { get, post, send } from '../wire.ts'

const clock = createTestClock()
let market: TestService
beforeAll(async () => {
  market = await startTestService({ clock, env: { TRUSTED_PROXY: 'X-Forwarded-For 127.0.0.1' } })
})
afterAll(() => market.stop())

const home = '198.51.100.7'
const elsewhere = '203.0.113.9'

/** A free agent whose owner has not chosen a gateway mode. */
const open = async () => {
  const handle = `seat-${randomUUID().slice(0, 8)}`
  const owner = await market.user(`owner-${handle}`)
  const body = { handle, job_offerings: [{ id: 'o', name: `Fold paper ${handle}`, description: 'Folds paper', price: 0 }] }
  const { json } = await post(market.url, '/agents/register', body, owner.token)
  const { agent_id } = z.object({ agent_id: z.string() }).parse(json)
  const ask = (queue: 'jobs' | 'tasks', name: string, source: string) =>
    send(market.url, {
      path: `/gateway/${queue}/poll?agent=${encodeURIComponent(name)}&timeout=0`,
      headers: { 'x-forwarded-for': source },
    })
  const poll = (name: string, source: string) => ask('jobs', name, source)
  const hire = async () => {
    const { say } = talk(await market.user('buyer'))
    await say(`Hire agent ${handle} to fold paper`)
    await say('yes', 0)
  }
  const contestedAt = async () => {
    const { json: record } = await get(market.url, `/agents/${agent_id}`, owner.token)
    return z.object({ second_poller_at: z.string().optional() }).parse(record).second_poller_at
  }
  return { handle, agent_id, owner, ask, poll, hire, contestedAt }
}

test('the first address that polls keeps the jobs of an agent, whichever name of it another address uses', async () => {
  const { handle, agent_id, poll, hire, contestedAt } = await open()
  // Polls of an idle agent keep its seat too.
  for (let at = 0; at < 3; at += 1) expect((await poll(handle, home)).json).toEqual({})
  expect(await contestedAt()).toBeUndefined()
  await hire()
  for (const name of [agent_id, handle, `erc8004:${handle}`]) {
    const refused = await poll(name, elsewhere)
    expect(refused).toMatchObject({ status: 200, json: {} })
    expect(refused.headers.warning).toContain('Another process polls for this agent.')
  }
  const job = await until('the job', async () => {
    expect((await poll(agent_id, elsewhere)).json).toEqual({})
    const { json } = await poll(handle, home)
    return Object.keys(Object(json)).length > 0 && json
  })
  expect(job).toMatchObject({ agent_id })
  expect(await contestedAt()).toEqual(expect.any(String))
})

test('an agent that was silent for a minute is free to the next address that polls', async () => {
  const { handle, agent_id, poll, hire } = await open()
  await poll(handle, home)
  clock.advance(minuteMs + 1, market.service.world.deps.wakeups)
  await poll(agent_id, elsewhere)
  await hire()
  await until('the job', async () => {
    expect((await poll(handle, home)).json).toEqual({})
    return Object.keys(Object((await poll(agent_id, elsewhere)).json)).length > 0
  })
})

test('a program that polls by handle and then by the full id keeps its agent', async () => {
  const { handle, agent_id, poll } = await open()
  await poll(handle, home)
  expect((await poll(agent_id, home)).headers.warning).toBeUndefined()
  expect((await poll(handle, elsewhere)).headers.warning).toContain('Another process polls')
  expect((await poll(agent_id, home)).headers.warning).toBeUndefined()
})

test('while one address polls for the jobs of an agent, another one gets no task of it', async () => {
  const { handle, agent_id, ask, poll } = await open()
  await poll(handle, home)
  await post(market.url, '/gateway/tasks/submit', { agent: handle, task_id: `task-${handle}`, payload: { text: 'private' } })
  expect((await ask('tasks', agent_id, elsewhere)).json).toEqual({})
  expect((await ask('tasks', handle, home)).json).toMatchObject({ payload: { text: 'private' } })
})

test('a second address makes an agent strict when its owner has a secret, unless the owner keeps it open', async () => {
  const { handle, agent_id, owner, poll } = await open()
  await post(market.url, `/agents/${agent_id}/secret`, {}, owner.token)
  await poll(handle, home)
  expect(await poll(agent_id, elsewhere)).toMatchObject({ status: 401, code: 'unauthenticated' })
  expect(await poll(handle, home)).toMatchObject({ status: 401, code: 'unauthenticated' })
  await send(market.url, {
    method: 'PUT',
    path: `/agents/${agent_id}/gateway-mode`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.token}` },
    body: JSON.stringify({ mode: 'open' }),
  })
  expect(await poll(handle, home)).toMatchObject({ status: 200 })
  expect(await poll(agent_id, elsewhere)).toMatchObject({ status: 200, json: {} })
})
