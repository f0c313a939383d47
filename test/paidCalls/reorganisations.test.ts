import { afterEach, expect, test } from 'vitest'
import { settlementOf } from '../../src/operations/ledger/settleCall.ts'
import type { Chain, Intent, Receipt } from '../../src/ports.ts'
import { openStore } from '../../src/store/store.ts'
import { account, addRun, agentId, chainId, newIntent, newJob } from '../store/rows.ts'
import { newFile } from '../store/spot.ts'
import { createScriptedChain } from '../world/chain.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const hash = `0x${'a'.repeat(64)}` as const
const mined = (success: boolean): Receipt => ({ hash, blockHash: hash, blockNumber: 5n, blockTime: 5_000, index: 0, success })

/** A paid call with an accepted deliverable whose settlement is pending. */
const settling = async () => {
  const { place, remove } = await newFile()
  ends.push(remove)
  const clock = { now: () => Date.now() }
  const store = await openStore({ ...place, clock })
  ends.push(store.close)
  const chain: Chain = createScriptedChain({ clock, seed: 'x402', chainId })
  await addRun(store, 'run')
  await store.addJob({ ...newJob('run'), budget: 0n, fee: 0n })
  const job = 'job-of-run'
  await store.addPaidCall({
    ...{ id: 'call', chainId, payer: account(7), asset: account(8), nonce: hash, amount: 5n, payTo: account(9), requestHash: '' },
    ...{ jobId: job, runId: 'run', validUntil: Date.now() + 60_000, sender: account(1), settlement: newIntent('any').call },
  })
  for (const event of ['fund', 'queue'] as const) await store.moveJob(job, event)
  await store.leaseJob(agentId)
  await store.moveJob(job, 'submit', { deliverable: 'An old pond' })
  await store.moveJob(job, 'accept')
  await store.addIntents([newIntent('x402:call')])
  const intent = await store.intent('x402:call')
  const follow = async (of: Intent | undefined, receipt: Receipt) => {
    const apply = of && (await settlementOf({ store, chain }, of, receipt))
    await store.atomically(async tables => apply?.(tables))
  }
  const balances = async () =>
    Object.entries(Object.groupBy(await store.ledger({ runId: 'run' }), it => it.account)).map(([of, rows = []]) => [
      of,
      rows.reduce((sum, it) => sum + it.amount, 0n),
    ])
  return { balances, stateOf: async () => (await store.job(job))?.state, follow: (it: Receipt) => follow(intent, it) }
}

test('a settlement that is mined again after a reorganisation is recorded once', async () => {
  const { follow, balances, stateOf } = await settling()
  await follow(mined(true))
  await follow(mined(true))
  expect(await stateOf()).toBe('settled')
  expect(await balances()).toEqual([
    [`wallet:${account(7)}`, -5n],
    [`wallet:${account(9)}`, 5n],
  ])
})

test('a settlement that fails after a reorganisation is removed from the ledger, and nothing was charged', async () => {
  const { follow, balances, stateOf } = await settling()
  await follow(mined(true))
  await follow(mined(false))
  expect(await stateOf()).toBe('refunded')
  expect(await balances()).toEqual([
    [`wallet:${account(7)}`, 0n],
    [`wallet:${account(9)}`, 0n],
  ])
})
