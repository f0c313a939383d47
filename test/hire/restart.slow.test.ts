import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, balancesOf, eventsOf, pathOf, paymentsOf, plain, provider, rested, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

test('a restart loses nothing: agents, balances, an open proposal and running jobs are unchanged, and jobs settle once', async () => {
  const user = await market.user('ada')
  const poet = await provider(market, plain('0.5', { slaMinutes: 10 }))
  const painter = await provider(market, plain('0.7', { slaMinutes: 10 }))
  const [leased, offered, open] = [talk(user), talk(user), talk(user)]
  const runs = [
    await leased.say(`Hire agent ${poet.handle} to write a haiku`),
    await offered.say(`Hire agent ${painter.handle} to write a haiku`),
    await open.say(`Hire agent ${poet.handle} to write a haiku`),
  ].map(it => it.run_id)
  const [leasedRun = '', offeredRun = '', openRun = ''] = runs
  await leased.say('yes', 0)
  const { job_id } = await poet.take()
  await offered.say('yes', 0)
  await until('the second job to be offered', async () => (await pathOf(user, offeredRun)).includes('queued'))

  // The time of the last contact is kept in memory only, so a restart loses it.
  const withoutSigns = (it: unknown): unknown =>
    JSON.parse(JSON.stringify(it, (name, value) => (name === 'last_seen' ? undefined : value)))
  const look = async () => ({
    agents: withoutSigns(await user.client.get('/agents')),
    wallet: await user.client.get('/v1/wallets/me'),
    balances: await balancesOf(user, { poet: poet.wallet, painter: painter.wallet }),
    runs: await Promise.all(runs.map(id => user.client.get(`/runs/${id}`))),
    events: await Promise.all(runs.map(id => eventsOf(user, id))),
    payments: await Promise.all(runs.map(id => user.client.get(`/runs/${id}/payments`))),
  })
  const before = await look()
  await market.restart()
  expect(await look()).toEqual(before)
  expect(before.balances).toMatchObject({ user: 23.8, escrow: 1.2 })

  await poet.deliver(job_id, 'An old silent pond')
  await painter.deliver((await painter.take()).job_id, 'A frog jumps in')
  for (const id of [leasedRun, offeredRun]) expect(await rested(user, id)).toMatchObject({ job: { state: 'settled' } })
  await Promise.all([open.say('yes', 0), open.say('yes', 0)])
  await poet.deliver((await poet.take()).job_id, 'Splash! Silence again')
  expect(await rested(user, openRun)).toMatchObject({ job: { state: 'settled' } })
  for (const id of runs) expect((await pathOf(user, id)).filter(it => it === 'settled')).toHaveLength(1)
  const after = await balancesOf(user, { poet: poet.wallet, painter: painter.wallet })
  expect(after).toEqual({ ...before.balances, user: 23.3, poet: 1, painter: 0.7, escrow: 0 })
})

test('a service that reads its chain again from the first block has the same jobs, payments and balances', async () => {
  const user = await market.user('rita')
  const poet = await provider(market, plain('0.5', { slaMinutes: 10 }))
  const [paid, running] = [talk(user), talk(user)]
  const { run_id: paidRun } = await paid.say(`Hire agent ${poet.handle} to write a haiku`)
  await paid.say('yes', 0)
  await poet.deliver((await poet.take()).job_id, 'An old silent pond')
  await rested(user, paidRun)
  const { run_id: runningRun } = await running.say(`Hire agent ${poet.handle} to write a haiku`)
  await running.say('yes', 0)
  const { job_id } = await poet.take()
  const look = async () => ({
    balances: await balancesOf(user, { poet: poet.wallet }),
    runs: await Promise.all([paidRun, runningRun].map(id => user.client.get(`/runs/${id}`))),
    events: await Promise.all([paidRun, runningRun].map(id => eventsOf(user, id))),
    paid: (await paymentsOf(user, paidRun)).map(({ type, transaction }) => [type, transaction]),
  })
  const before = await look()
  await market.restart({ rebuild: true })
  expect(await look()).toEqual(before)
  await poet.deliver(job_id, 'A frog jumps in')
  expect(await rested(user, runningRun)).toMatchObject({ job: { state: 'settled' } })
})

test('an idempotency key used before a restart still returns its run, and the run can still be hired', async () => {
  const user = await market.user('bob')
  const poet = await provider(market, plain('0.5', { slaMinutes: 10 }))
  const { say, conversationId } = talk(user)
  const body = { message: `Hire agent ${poet.handle} to write a haiku`, conversation_id: conversationId }
  const send = () => ask({ ...market, ...user }, '/invoke', { body, headers: { 'idempotency-key': 'once' } })
  const first = await send()
  await market.restart()
  expect(await send()).toEqual(first)
  const { run_id } = await say('yes', 0)
  await poet.deliver((await poet.take()).job_id, 'An old silent pond')
  expect(await rested(user, run_id)).toMatchObject({ job: { state: 'settled' } })
  expect(await send()).toMatchObject({ status: 200, body: { run_id, data: { state: 'completed' } } })
})
