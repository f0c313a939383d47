import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOperatorState } from '../../src/operations/operator/operatorState.ts'
import { openStore } from '../../src/store/store.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await market.cityClock()
})
afterAll(() => market?.stop())

const hire = async (name: string) => {
  const { say } = talk(await market.user(name))
  await say('What time is it in Tokyo?')
  return say('yes')
}

/** A copy of the first row of a table with some columns changed; later rows come after it. */
const spoil = (table: string, changed: Record<string, string>) => async (store: Awaited<ReturnType<typeof openStore>>) => {
  const columns = (await store.db.sql(`select name from pragma_table_info('${table}')`)).map(it => String(it.name))
  const values = columns.map(it => changed[it] ?? `"${it}"`)
  await store.db.run(
    `insert into ${table} (${columns.map(it => `"${it}"`).join(', ')}) select ${values.join(', ')} from ${table} order by seq limit 1`,
  )
}

/** What a newer release may have written: states, calls and documents that this one cannot read. */
const poison = [
  spoil('run', { seq: '90001', id: `'late-run'`, job_id: 'null', wake_at: 'null', held_until: 'null' }),
  spoil('run', {
    seq: '90000',
    id: `'later-run'`,
    proposal: `'{"later":true}'`,
    job_id: 'null',
    wake_at: '1',
    held_until: 'null',
  }),
  spoil('job', { seq: '90000', id: `'later-job'`, run_id: `'later-run'`, state: `'queued'`, terms: `'[]'`, chain_job_id: '999' }),
  spoil('job', {
    seq: '90001',
    id: `'late-job'`,
    run_id: `'late-run'`,
    state: `'submitted'`,
    terms: `'[]'`,
    chain_job_id: '998',
    evaluate_by: '1',
  }),
  spoil('intent', {
    seq: '90000',
    key: `'later-intent'`,
    state: `'waiting'`,
    call: `x'00'`,
    nonce: 'null',
    hash: 'null',
    after: 'null',
    held: 'null',
  }),
]

test('rows that this release cannot read are named to the operator, and every other hire goes on', async () => {
  expect(await hire('ada')).toMatchObject({ data: { job: { state: 'settled' } } })
  await market.service.stop()
  const store = await openStore({ file: join(market.dir, 'market.db'), clock: { now: Date.now } })
  for (const write of poison) await write(store)
  await store.close()
  await market.restart()
  expect(await hire('bob')).toMatchObject({ data: { job: { state: 'settled' } } })
  await until('the rows to be named', async () => {
    const { unreadable } = await readOperatorState(market.service.world.operator)
    return ['intent', 'job', 'run'].every(table => unreadable.some(it => it.source === table))
  })
  const failing = (await readOperatorState(market.service.world.operator)).failing
  expect(failing).toEqual([])
})
