import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { prune } from '../../src/operator/prune.ts'
import { balancesOf, eventsOf, paymentsOf, plain, readRun, rested, talk } from '../hire/market.ts'
import { startTestService, until } from '../service.ts'

test('a service with a retention time removes the texts of an ended hire; payments, balances and a rebuild stay the same', async () => {
  const market = await startTestService()
  onTestFinished(market.stop)
  const agent = await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: async () => 'An old silent pond' })
  const user = await market.user('ann')
  const chat = talk(user)
  await chat.say('Hire agent poet to write a haiku')
  const { run_id: runId } = await chat.say('yes')
  expect((await rested(user, runId)).content).toContain('An old silent pond')
  await agent.stop()
  const facts = async () => [await paymentsOf(user, runId), await balancesOf(user)]
  const before = await facts()

  const config = readConfig({ DATA_DIR: market.dir, RETENTION_DAYS: '0' })
  // Feedback and learning follow the payment.
  const gone = await until('the run to end', async () => {
    const counted = await prune(config, { dryRun: true })
    return counted.emptied > 0 && counted
  })
  expect(gone).toMatchObject({ emptied: 1, deliverables: 1, events: (await eventsOf(user, runId)).length })
  await expect(prune(config, { dryRun: false })).rejects.toThrow('is in use')
  await expect(prune(readConfig({ DATA_DIR: market.dir }), { dryRun: true })).rejects.toThrow('RETENTION_DAYS')
  expect((await eventsOf(user, runId)).length).toBeGreaterThan(0)

  await market.restart({ keepMs: 1 })
  const emptied = await until('the texts to be removed', async () => {
    const run = await readRun(user, runId)
    return run.pruned_at !== undefined && run
  })
  expect(emptied).toMatchObject({ content: '', job: { state: 'settled', deliverable: '' } })
  expect(await eventsOf(user, runId)).toEqual([])
  expect(await facts()).toEqual(before)
  await market.restart({ rebuild: true })
  expect(await facts()).toEqual(before)
  expect((await readRun(user, runId)).job?.state).toBe('settled')
})
