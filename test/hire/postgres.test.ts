import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'
import { balancesOf, pathOf, plain, provider, rested, talk } from './market.ts'

const server = process.env.TEST_DATABASE_URL
const title = server ? 'the whole service on PostgreSQL' : 'PostgreSQL part left out: set TEST_DATABASE_URL'

describe.skipIf(!server)(title, () => {
  const name = `service_test_${randomBytes(8).toString('hex')}`
  let market: TestService

  const asAdmin = async (statement: string) => {
    const admin = new pg.Client({ connectionString: server })
    await admin.connect()
    await admin.query(statement)
    await admin.end()
  }

  beforeAll(async () => {
    await asAdmin(`create database ${name}`)
    const url = new URL(server ?? '')
    url.pathname = `/${name}`
    market = await startTestService({ env: { DATABASE_URL: url.href } })
  })
  afterAll(async () => {
    await market.stop()
    await asAdmin(`drop database ${name} with (force)`)
  })

  test('a hire settles, and stays settled over a restart', async () => {
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
