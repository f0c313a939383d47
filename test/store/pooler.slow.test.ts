import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine } from '../../src/operator/doctor/doctor.ts'
import { openPostgres } from '../../src/store/engine/postgres.ts'
import { plain, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { hasPgBouncer, startPgBouncer } from './pgbouncer.ts'
import { newDatabase, server } from './server.ts'

const isTried = server !== undefined && hasPgBouncer
if (!isTried) process.stdout.write('PgBouncer part left out: set TEST_DATABASE_URL, and install the Debian package pgbouncer\n')

describe.skipIf(!isTried)('behind PgBouncer in transaction mode', () => {
  const ends: (() => Promise<unknown>)[] = []
  let url = ''
  let pooler = ''
  let market: TestService
  beforeAll(async () => {
    const database = await newDatabase()
    ends.unshift(database.remove)
    url = database.place.url
    const bouncer = await startPgBouncer(url)
    ends.unshift(bouncer.stop)
    pooler = bouncer.pooler
    market = await startTestService({
      env: { DATABASE_URL: url, DATABASE_POOLER_URL: pooler, POOL_SIZE: '20', MASTER_KEY: 'ab'.repeat(32) },
    })
    ends.unshift(market.stop)
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test('hires settle, also many at once, and this process leads its chain', async () => {
    const poet = await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: async () => 'Leaves fall.' })
    const users = await Promise.all(['ann', 'bob', 'cy', 'dee', 'eve', 'fay'].map(market.user))
    const states = users.map(async user => {
      const { say } = talk(user)
      await say('Hire agent poet to write a haiku')
      const { run_id: runId } = await say('yes')
      return (await rested(user, runId)).job?.state
    })
    expect(await Promise.all(states)).toEqual(users.map(() => 'settled'))
    await poet.stop()
    const { elections } = market.service.world
    await until('both terms', async () => elections.leads(0) && elections.leads(97))
  })

  test('a transaction that fails leaves nothing, and parameters and sessions of one caller never reach another', async () => {
    const db = openPostgres({ url, pooler, name: 'pooled' })
    ends.unshift(db.close)
    await db.sql('create table move (step bigint primary key)')
    const add = (step: number) => db.tx(async sql => void (await sql('insert into move (step) values ($1)', [step])))
    const twice = db.tx(sql => Promise.all([1, 2, 2].map(step => sql('insert into move (step) values ($1)', [step]))))
    await expect(twice).rejects.toThrow('duplicate key')
    await Promise.all(Array.from({ length: 40 }, (_, at) => add(at)))
    expect(await db.sql('select count(*)::int as count from move')).toEqual([{ count: 40 }])
    const names = await Promise.all(
      Array.from({ length: 20 }, () => db.tx(sql => sql(`select current_setting('application_name') as name`))),
    )
    expect(new Set(names.map(([row]) => row?.name))).toEqual(new Set(['pooled']))
  })

  test('the doctor says whether the pooler answers and how many processes fit', async () => {
    const env = { DATABASE_URL: url, DATABASE_POOLER_URL: pooler, MASTER_KEY: 'ab'.repeat(32), PORT: '0', DATA_DIR: market.dir }
    const found = async (more: Record<string, string | undefined>) =>
      (await examine({ ...env, ...more })).filter(it => it.check === 'connections' || it.check === 'pooler')
    expect(await found({})).toMatchObject([
      { check: 'connections', level: 'ok', words: expect.stringContaining('A process opens up to 4') },
      { check: 'pooler', level: 'ok' },
    ])
    const direct = await found({ DATABASE_POOLER_URL: undefined, POOL_SIZE: '500' })
    expect(direct).toMatchObject([{ level: 'wrong', words: expect.stringContaining('so 0 fit; 1 run now') }])
    const dead = await found({ DATABASE_POOLER_URL: 'postgres://postgres@127.0.0.1:2/postgres' })
    expect(dead[1]).toMatchObject({ level: 'wrong', words: expect.stringContaining('DATABASE_POOLER_URL does not answer') })
  })

  test('another process is woken by a notification through the pooler', async () => {
    const one = openPostgres({ url, pooler, name: 'one' })
    ends.unshift(one.close)
    const { wakeups } = market.service.world.deps
    let isHeard = false
    const stop = wakeups.on(channel => {
      isHeard ||= channel === 'pooled'
    })
    await one.tx(sql => sql(`select pg_notify('marketplace', $1)`, [JSON.stringify(['another process', 'pooled'])]))
    await until('the notification', async () => isHeard)
    stop()
  })
})
