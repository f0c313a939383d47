import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock, startTestService, type TestService, type User, until } from '../service.ts'
import { ask, balancesOf, eventsOf, pathOf, plain, provider, readRun, rested, talk } from './market.ts'

const time = createTestClock()
let market: TestService
let user: User
beforeAll(async () => {
  market = await startTestService({ clock: time, env: { TRUSTED_PROXY: 'X-Forwarded-For 127.0.0.1' } })
  user = await market.user('buyer')
})
afterAll(() => market?.stop())

const hire = async (handle: string) => {
  const { say } = talk(user)
  await say(`hire agent ${handle} to write a haiku`)
  return (await say('yes', 0)).run_id
}
const job = z.object({ job_id: z.string() })

/** A program at an address of its own that polls and reports for an agent without a credential. */
const programAt = (agentId: string, address: string) => {
  const headers = { 'x-forwarded-for': address }
  return {
    take: async () => {
      const path = `/gateway/jobs/poll?agent=${agentId}&timeout=10`
      return job.parse((await ask({ url: market.url }, path, { method: 'GET', headers })).body).job_id
    },
    fail: async (job_id: string, error: string) =>
      (
        await ask({ url: market.url }, '/gateway/jobs/complete', {
          headers,
          body: { job_id, agent_id: agentId, status: 'failed', error },
        })
      ).body,
  }
}

test('an agent of the kit that throws is asked once, and its buyer reads its reason at once and has the money back', async () => {
  let asked = 0
  await market.agent({
    handle: 'dry-poet',
    offerings: [plain('0.1')],
    handler: () => {
      asked += 1
      throw new Error('no ink today')
    },
  })
  const before = await balancesOf(user)
  const runId = await hire('dry-poet')
  const { content } = await rested(user, runId)
  expect(content).toBe('The agent could not do it: "no ink today". The 0.1 USDC are back in your wallet.')
  expect(asked).toBe(1)
  expect(await pathOf(user, runId)).toEqual(['open', 'escrowed', 'queued', 'leased', 'rejected', 'refunded'])
  expect(await balancesOf(user)).toMatchObject({ user: before.user })
})

test('without a credential, the word of the address that took the job ends it, and does not count against the agent', async () => {
  const poet = await provider(market, plain('0.1'))
  const own = programAt(poet.agentId, '203.0.113.1')
  const runId = await hire(poet.handle)
  const jobId = await own.take()
  expect(await own.fail(jobId, 'no ink')).toMatchObject({ accepted: true, state: 'rejected' })
  expect((await rested(user, runId)).content).toContain('The agent could not do it: "no ink".')
  expect(await market.service.world.deps.store.job(jobId)).toMatchObject({ requeues: 0, attempt: 1 })
  expect(await user.client.get(`/agents/${poet.agentId}`)).toMatchObject({ reputation: { judged: 0 } })
})

test('the word of another address does not end a job: it is offered three times, and the end names the reports and not the time', async () => {
  const poet = await provider(market, plain('0.1'))
  const own = programAt(poet.agentId, '203.0.113.1')
  const other = programAt(poet.agentId, '203.0.113.2')
  const runId = await hire(poet.handle)
  for (const attempt of [1, 2, 3]) {
    expect(await other.fail(await own.take(), `lie ${attempt}`)).toMatchObject({ accepted: true, state: 'queued' })
    expect((await readRun(user, runId)).state).toBe('awaiting-job')
  }
  expect((await rested(user, runId)).content).toBe(
    'A failure was reported for the agent: "lie 3". The 0.1 USDC are back in your wallet.',
  )
})

test('a program that takes a job and is not heard of again crashed: the job is offered again, and can still be done', async () => {
  const poet = await provider(market, plain('0.1'))
  const own = programAt(poet.agentId, '203.0.113.1')
  const runId = await hire(poet.handle)
  const first = await own.take()
  const { deadlines } = (await market.service.world.deps.store.job(first)) ?? {}
  time.advance((deadlines?.leaseMs ?? 0) + 1_000, market.service.world.deps.wakeups)
  await until('the end of the lease', async () => (await pathOf(user, runId)).at(-1) === 'queued')
  expect(await own.take()).toBe(first)
  expect(await poet.deliver(first, 'An old pond')).toMatchObject({ accepted: true })
  expect((await rested(user, runId)).content).toContain('An old pond')
  expect((await eventsOf(user, runId)).map(it => it.type)).toContain('job.settled')
})
