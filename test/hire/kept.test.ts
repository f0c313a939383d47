import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'
import { plain, readRun, rested, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market.stop())

const checkpointsOf = (runId: string): number => {
  const database = new DatabaseSync(join(market.dir, 'market.db'), { readOnly: true })
  try {
    const count = 'select (select count(*) from checkpoint where thread_id = $id) as kept'
    return Number(database.prepare(count).get({ $id: runId })?.kept)
  } finally {
    database.close()
  }
}

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
  const { store, wakeups } = market.service.world.deps
  await store.wakeRun(ended.run_id)
  await wakeups.wait(`run:${ended.run_id}`, 5_000, AbortSignal.timeout(5_000))
  expect(await readRun(user, ended.run_id)).toMatchObject({
    state: 'completed',
    content: ended.content,
    job: { state: 'settled' },
  })
  expect(checkpointsOf(ended.run_id)).toBe(0)
})
