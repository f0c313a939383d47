import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, until } from '../service.ts'
import { plain, readRun, rested, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market.stop())

const read = (sql: string, runId: string): number => {
  const database = new DatabaseSync(join(market.dir, 'market.db'), { readOnly: true })
  try {
    return Number(Object.values(database.prepare(sql).get({ $id: runId }) ?? {})[0])
  } finally {
    database.close()
  }
}

const checkpointsOf = (runId: string): number => read('select count(*) from checkpoint where thread_id = $id', runId)
/** Whether a woken run was claimed, advanced and released. */
const isAdvanced = (runId: string): boolean =>
  read('select wake_at is null and held_until is null from run where id = $id', runId) === 1

test('a run that waits keeps its newest checkpoint, and one that has reported its finished job keeps none and stays as it is', async () => {
  const user = await market.user('kept')
  await market.agent({ handle: 'keeper', offerings: [plain('0.01')], handler: async () => 'An old silent pond' })
  const { say } = talk(user)
  const { data: proposed } = await say('Hire agent keeper to write a haiku')
  expect(proposed.state).toBe('awaiting-confirmation')
  expect(checkpointsOf(proposed.run_id)).toBe(1)
  await say('yes')
  const ended = await rested(user, proposed.run_id)
  expect(ended).toMatchObject({ state: 'completed', job: { state: 'settled' } })
  expect(checkpointsOf(ended.run_id)).toBe(0)

  // Woken once more, as after a reorganisation of the chain.
  await market.service.world.deps.store.wakeRun(ended.run_id)
  expect(isAdvanced(ended.run_id)).toBe(false)
  await until('the run to be advanced', async () => isAdvanced(ended.run_id))
  expect(await readRun(user, ended.run_id)).toMatchObject({
    state: 'completed',
    content: ended.content,
    job: { state: 'settled' },
  })
  expect(checkpointsOf(ended.run_id)).toBe(0)
})

const hires = 3
/** The bytes of all rows and index entries, and those of the histories of runs among them. */
const bytesOf = (of = '%') => read('select sum(payload) from dbstat where name like $id', of)
const openEffects = () => read(`select count(*) from intent where state <> 'confirmed' and key like $id`, 'job:%')

test('a finished hire keeps at most 15 KB, and 2 KB of its history as long as that is kept', async () => {
  const user = await market.user('many')
  await market.agent({ handle: 'poet', offerings: [plain('0.01')], handler: async () => 'An old silent pond' })
  const { say } = talk(user)
  const hire = async () => {
    const { data: proposed } = await say('Hire agent poet to write a haiku')
    await say('yes')
    expect(await rested(user, proposed.run_id)).toMatchObject({ state: 'completed', job: { state: 'settled' } })
    // The feedback on chain comes last.
    const feedback = `job:${(await readRun(user, proposed.run_id)).job?.job_id}:feedback`
    await until('the feedback to be mined', async () => read('select count(*) from intent where key = $id', feedback) === 1)
    await until('all effects to be mined', async () => openEffects() === 0)
  }
  await hire()
  const before = [bytesOf(), bytesOf('%run_step%')]
  for (let times = 0; times < hires; times += 1) await hire()
  const [all = 0, history = 0] = [bytesOf(), bytesOf('%run_step%')].map((bytes, at) => (bytes - (before[at] ?? 0)) / hires)
  expect(history).toBeLessThan(2_000)
  expect(all - history).toBeLessThan(15_000)
})
