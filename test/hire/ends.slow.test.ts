import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, balancesOf, pathOf, paymentsOf, plain, provider, readRun, rested, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

/** Creates a user who has hired an agent that has not polled yet. */
const hire = async (name: string, price = '0.5') => {
  const user = await market.user(name)
  const poet = await provider(market, plain(price))
  const before = await balancesOf(user)
  const conversation = talk(user)
  await conversation.say(`Hire agent ${poet.handle} to write a haiku`)
  const { run_id: runId } = await conversation.say('yes', 0)
  const cancel = () => ask({ ...market, ...user }, `/v1/hires/${runId}/cancel`, { body: {} })
  return { user, poet, before, runId, cancel, ...conversation }
}

const taken = 'You cancelled the job before the agent had it. The 0.5 USDC are back in your wallet.'

test('a job that no agent has leased can be cancelled by its user: the money returns, and a second request changes nothing', async () => {
  const { user, before, runId, cancel, poet } = await hire('sorry')
  const answers = await Promise.all([cancel(), cancel()])
  for (const it of answers) expect(it).toMatchObject({ status: 200, body: { state: 'completed', content: taken } })
  expect(await cancel()).toMatchObject({ status: 200 })
  expect(await pathOf(user, runId)).toEqual(['open', 'escrowed', 'queued', 'expired', 'refunded'])
  expect((await paymentsOf(user, runId)).map(it => [it.type, it.amount])).toEqual([
    ['escrow', '0.5'],
    ['refund', '0.5'],
  ])
  expect(await balancesOf(user)).toEqual(before)
  const polled = await ask(market, `/gateway/jobs/poll?agent=${poet.agentId}&timeout=0`)
  expect(polled.body).toEqual({})
})

test('"cancel" in the chat cancels a waiting job', async () => {
  const { user, before, runId, say } = await hire('chatty')
  await until('the job to be offered', async () => (await pathOf(user, runId)).includes('queued'))
  expect(await say('cancel')).toMatchObject({ data: { act: 'cancel' }, content: expect.stringContaining('0.5 USDC are back') })
  expect(await readRun(user, runId)).toMatchObject({ content: taken, job: { state: 'refunded' } })
  expect(await balancesOf(user)).toEqual(before)
})

test('a job that its agent has leased goes on: the route and the chat both refuse to cancel it, with a reason', async () => {
  const { user, poet, runId, cancel, say } = await hire('too-late')
  const { job_id } = await poet.take()
  expect(await cancel()).toMatchObject({ status: 409, code: 'job-already-closed' })
  expect((await say('stop')).content).toMatch(/has taken the job, so it continues/)
  await poet.deliver(job_id, 'An old silent pond')
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled' } })
  expect(await cancel()).toMatchObject({ status: 409 })
})

test('a free job is cancelled without a transaction, and neither a run without a hire nor another user’s run can be', async () => {
  const { user, runId, cancel } = await hire('free', '0')
  expect(await cancel()).toMatchObject({ status: 200, body: { content: expect.stringContaining('It cost nothing.') } })
  expect((await readRun(user, runId)).job).toMatchObject({ state: 'refunded' })
  const stranger = await market.user('stranger')
  const path = `/v1/hires/${runId}/cancel`
  expect(await ask({ ...market, ...stranger }, path, { body: {} })).toMatchObject({ status: 404, code: 'run-not-found' })
  expect(await ask(market, path, { body: {} })).toMatchObject({ status: 401 })
  const { run_id } = await talk(user).say('hello')
  const nothing = await ask({ ...market, ...user }, `/v1/hires/${run_id}/cancel`, { body: {} })
  expect(nothing).toMatchObject({ status: 409, code: 'nothing-proposed' })
})
