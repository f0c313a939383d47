import { afterEach, expect, test } from 'vitest'
import type { Hex } from '../../../src/domain/hex.ts'
import { paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import { settlementOf } from '../../../src/features/x402Selling/settleCall.ts'
import { withoutReversed } from '../../../src/operations/ledger/bookings.ts'
import type { AuthorizedTransfers, Chain, Intent, Receipt } from '../../../src/ports.ts'
import { openStore } from '../../../src/store/store.ts'
import { tables } from '../../assembled.ts'
import { account, addRun, agentId, chainId, newIntent, newJob } from '../../store/rows.ts'
import { newStoreFile } from '../../store/template.ts'
import { createScriptedChain } from '../../world/chain.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const hash = `0x${'a'.repeat(64)}` as const
const foreign = `0x${'b'.repeat(64)}` as const
const mined = (success: boolean): Receipt => ({ hash, blockHash: hash, blockNumber: 5n, blockTime: 5_000, index: 0, success })

/** A paid call with an accepted deliverable whose settlement is pending. */
const settling = async () => {
  const { place, remove } = await newStoreFile()
  ends.push(remove)
  const clock = { now: () => Date.now() }
  const store = await openStore({ ...place, tables, clock })
  ends.push(store.close)
  /** The transaction that made the transfer, on the present branch of the chain. */
  let paidBy: Hex | undefined
  const unused = () => Promise.reject(new Error('not used here'))
  const authorized: AuthorizedTransfers = {
    ...{ domain: unused, refusal: unused, signPurchase: unused, transfer: () => newIntent('any').call, hash: () => hash },
    transferOf: async () => paidBy,
    stateOf: async () => (paidBy ? 'used' : 'open'),
  }
  const chain: Chain = { ...createScriptedChain({ clock, seed: 'x402', chainId }), authorized }
  await addRun(store, 'run')
  await store.addJob({ ...newJob('run'), budget: 0n, fee: 0n })
  const job = 'job-of-run'
  await paidCallsOf(store).addPaidCall({
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
    await store.atomically(async written => apply?.(written))
  }
  const balances = async () =>
    Object.entries(Object.groupBy(await store.ledger({ runId: 'run' }), it => it.account)).map(([of, rows = []]) => [
      of,
      rows.reduce((sum, it) => sum + it.amount, 0n),
    ])
  return {
    balances,
    stateOf: async () => (await store.job(job))?.state,
    /** Follows our settlement on a branch of the chain where `transaction` made the transfer. */
    async follow(receipt: Receipt, transaction: Hex | null = receipt.success ? hash : null) {
      paidBy = transaction ?? undefined
      await follow(intent, receipt)
    },
    payments: async () => withoutReversed(await store.ledger({ runId: 'run' })).map(it => [it.amount, it.txHash]),
    shown: async () => (await paidCallsOf(store).paidCall('call'))?.hash,
    told: async () => (await store.runEvents('run', 0, 100)).map(it => it.kind),
  }
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

test('a settlement that failed and succeeds after a reorganisation is settled and booked: the payer paid and reads the work', async () => {
  const { follow, payments, stateOf, shown, told } = await settling()
  await follow(mined(false))
  expect([await stateOf(), await payments(), await shown()]).toEqual(['refunded', [], undefined])
  await follow(mined(true))
  expect([await stateOf(), await shown()]).toEqual(['settled', hash])
  expect(await payments()).toEqual([
    [-5n, hash],
    [5n, hash],
  ])
  expect((await told()).slice(-3)).toEqual(['job.retracted', 'job.settled', 'payment.settled'])
})

test('after a reorganisation, the books name the transaction that carries the transfer now', async () => {
  const { follow, payments, stateOf, shown } = await settling()
  await follow(mined(false), foreign)
  expect([await stateOf(), await shown()]).toEqual(['settled', foreign])
  await follow(mined(true), hash)
  expect([await stateOf(), await shown()]).toEqual(['settled', hash])
  expect(await payments()).toEqual([
    [-5n, hash],
    [5n, hash],
  ])
})

test('a settlement that succeeds by its receipt, and whose transfer the chain does not show, is looked up again', async () => {
  const { follow, payments, stateOf } = await settling()
  await expect(follow(mined(true), null)).rejects.toMatchObject({ type: 'chain-unavailable' })
  expect([await stateOf(), await payments()]).toEqual(['settling', []])
})
