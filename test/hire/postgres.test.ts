import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, until } from '../service.ts'
import { newDatabase, server } from '../store/server.ts'
import { balancesOf, pathOf, plain, provider, rested, talk } from './market.ts'

const title = server ? 'the whole service on PostgreSQL' : 'PostgreSQL part left out: set TEST_DATABASE_URL'

describe.skipIf(!server)(title, () => {
  let remove: () => Promise<void>
  let market: TestService

  beforeAll(async () => {
    const database = await newDatabase()
    remove = database.remove
    market = await startTestService({ env: { DATABASE_URL: database.place.url, MASTER_KEY: 'ab'.repeat(32) } })
  })
  afterAll(async () => {
    await market.stop()
    await remove()
  })

  test('a hire settles, and is still settled after a restart', async () => {
    const user = await market.user('ada')
    const poet = await provider(market, plain('0.5'))
    const { say } = talk(user)
    await say(`Hire agent ${poet.handle} to write a haiku`)
    const { run_id: runId } = await say('yes', 0)
    const { job_id: jobId } = await poet.take()
    await poet.deliver(jobId, 'Leaves fall.')
    expect(await rested(user, runId)).toMatchObject({ state: 'completed', job: { job_id: jobId, state: 'settled' } })
    expect((await pathOf(user, runId)).at(-1)).toBe('settled')
    const before = await balancesOf(user, { poet: poet.wallet })
    expect(before).toMatchObject({ escrow: 0, poet: 0.5 })
    await market.restart()
    expect(await balancesOf(user, { poet: poet.wallet })).toEqual(before)
  })

  test('a hire at a price by use pays what was used', async () => {
    const user = await market.user('una')
    const poet = await provider(market, plain('0.5', { usage: { unit: 'pages', perUnit: '0.1' } }))
    const { say } = talk(user)
    await say(`Hire agent ${poet.handle} to write a haiku`)
    const { run_id: runId } = await say('yes', 0)
    await poet.report((await poet.take()).job_id, { deliverable: 'Leaves fall.', units: 3 })
    expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled', used: { charged: 3 } } })
    expect(await balancesOf(user, { poet: poet.wallet })).toMatchObject({ escrow: 0, poet: 0.3 })
  })

  test('the process leads, and has its embedded chain alone', async () => {
    const { operator } = market.service.world
    const leads = await until('both terms', async () => {
      const leaders = await operator.elections.leaders()
      return leaders.length === 2 && leaders
    })
    expect(leads.map(it => it.key)).toEqual([0, 97])
    for (const it of leads) expect(it.process).toContain(`market ${process.pid} `)
  })
})
