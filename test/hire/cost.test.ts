import { StatementSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../service.ts'
import { plain, rested, talk } from './market.ts'

// On SQLite every statement runs by `all`. The spy passes each call on.
const ran = vi.spyOn(StatementSync.prototype, 'all')
let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(async () => {
  await market.stop()
  ran.mockRestore()
})

const statements = (text: RegExp): number =>
  ran.mock.contexts.filter(it => it instanceof StatementSync && text.test(it.sourceSQL)).length

test('a hire stores its thread once for each pause and reads none back, is advanced only when it can go on, and numbers each event once', async () => {
  const user = await market.user('saver')
  await market.agent({ handle: 'thrifty', offerings: [plain('0.01')], handler: async () => 'An old silent pond' })
  const { say } = talk(user)
  ran.mockClear()
  const { data: run } = await say('Hire agent thrifty to write a haiku')
  await say('yes')
  expect(await rested(user, run.run_id)).toMatchObject({ state: 'completed', job: { state: 'settled' } })
  // It pauses for the yes, the delivery and the end of the job. Once it has reported, its thread goes.
  expect(statements(/^insert into checkpoint /)).toBe(3)
  // This process was the last that wrote it, so it knows it.
  expect(statements(/^select .* from checkpoint where/)).toBe(0)
  // So it knows the history of the run, and the claim of a run reads the answer.
  expect(statements(/^select .* from run_step/)).toBe(0)
  expect(statements(/^select input from run_input where run_id = \? and/)).toBe(0)
  // It is advanced for the message, the yes, the delivery and the end of the job.
  expect(statements(/^update run set state = \?, interrupt_id/)).toBe(4)
  const events = statements(/^insert into run_event/)
  expect(events).toBeGreaterThan(15)
  expect(statements(/run_event where run_id = \? and key|^update run set last_seq/)).toBe(events)
})
