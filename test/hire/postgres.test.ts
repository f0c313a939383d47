import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'
import { newDatabase, server } from '../store/server.ts'
import { balancesOf, pathOf, plain, provider, rested, talk } from './market.ts'

const title = server ? 'the whole service on PostgreSQL' : 'PostgreSQL part left out: set TEST_DATABASE_URL'

describe.skipIf(!server)(title, () => {
  let remove: () => Promise<void>
  let market: TestService

  beforeAll(async () => {
    const database = await newDatabase()
    remove = database.remove
    market = await startTestService({ env: { DATABASE_URL: database.place.url } })
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
})
