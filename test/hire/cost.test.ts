import { StatementSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'
import { plain, rested, talk } from './market.ts'

// A service on SQLite runs every statement by `all`. The text of a statement is in its `sourceSQL`.
const run = StatementSync.prototype.all
const texts: string[] = []
let market: TestService
beforeAll(async () => {
  StatementSync.prototype.all = function (this: StatementSync, ...params: Parameters<typeof run>) {
    texts.push(this.sourceSQL)
    return run.apply(this, params)
  }
  market = await startTestService()
})
afterAll(async () => {
  StatementSync.prototype.all = run
  await market.stop()
})

const count = (text: RegExp): number => texts.filter(it => text.test(it)).length

test('a hire stores its thread once for each pause, and is advanced only when it can go on', async () => {
  const user = await market.user('saver')
  await market.agent({ handle: 'thrifty', offerings: [plain('0.01')], handler: async () => 'An old silent pond' })
  const { say } = talk(user)
  texts.length = 0
  const { data: run } = await say('Hire agent thrifty to write a haiku')
  await say('yes')
  expect(await rested(user, run.run_id)).toMatchObject({ state: 'completed', job: { state: 'settled' } })
  // The proposal, the delivery, the end of the job, and the report.
  expect(count(/^insert into checkpoint /)).toBe(4)
  // Claimed for the message, the yes, the deliverable and the end of the job; once more when the job ended meanwhile.
  expect(count(/^update run set state = \?, interrupt_id/)).toBeLessThanOrEqual(5)
})
