import { expect, test } from 'vitest'
import { type PaidCall, paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import type { Tables } from '../../../src/ports.ts'
import { account, addAgent, addRun, agentId, agentKey, chainId, countUp, hash, newIntent, newJob } from '../rows.ts'
import { describeStores } from '../stores.ts'

const payer = account(7)
const counted = { payer, chainId, agentId, owner: account(1) }
type Counted = typeof counted
const nonce = `0x${'5'.repeat(64)}` as const

const newCall = (runId: string, over: Partial<PaidCall> = {}): Omit<PaidCall, 'createdAt' | 'taken'> => ({
  ...{ id: `x402-of-${runId}`, chainId, payer, asset: account(8), nonce, amount: 5n, payTo: account(9), requestHash: 'hash' },
  ...{ jobId: `job-of-${runId}`, runId, validUntil: Date.now() + 60_000, sender: account(1) },
  ...{ settlement: { to: account(8), data: '0x01', value: 0n, gas: 70_000n }, ...over },
})

/** Claims an authorization nonce and stores its call, in one write; false when another call has claimed it. */
const claim = (store: Tables & { atomically: OpenAtomically }, runId: string, over: Partial<PaidCall> = {}) =>
  store
    .atomically(async tables => {
      await addRun(tables, runId)
      await tables.addJob({ ...newJob(runId), budget: 0n, fee: 0n })
      if (!(await paidCallsOf(tables).addPaidCall(newCall(runId, over)))) throw new RangeError('claimed')
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof RangeError) return false
      throw error
    })
type OpenAtomically = <T>(work: (tables: Tables) => Promise<T>) => Promise<T>

describeStores('paid calls', fresh => {
  test('of many uses of one authorization, in two processes, one succeeds, and the others store nothing', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const taken = await Promise.all(countUp(8).map(at => claim(at % 2 ? one : two, `run-${at}`)))
    expect(taken.filter(it => it)).toHaveLength(1)
    const call = await paidCallsOf(one).paidCallOfNonce({ chainId, asset: account(8), payer, nonce })
    expect(await paidCallsOf(two).paidCall(call?.id ?? '')).toMatchObject({
      nonce,
      amount: 5n,
      settling: undefined,
      hash: undefined,
    })
    const runs = await Promise.all(countUp(8).map(at => one.run(`run-${at}`)))
    expect(runs.filter(it => it).map(it => it?.id)).toEqual([call?.runId])
  })

  test('a call has the state of its settlement, and running calls count against the payer', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    await store.setAgentId(agentKey, agentId)
    const nonces = countUp(3).map(at => `0x${String(at + 1).repeat(64)}` as const)
    for (const [at, of] of nonces.entries()) expect(await claim(store, `run-${at}`, { nonce: of })).toBe(true)
    await claim(store, 'other', { payer: account(6), nonce })
    const counts = async (of: Partial<Counted> = {}) => {
      const { payer: ofPayer, agent, owner, all, unpaid, amount } = await paidCallsOf(store).lockPaidCalls({ ...counted, ...of })
      return [ofPayer.open, agent.open, owner.open, all.open, unpaid.open, Number(amount)]
    }
    expect(await counts()).toEqual([3, 4, 4, 4, 0, 15])
    expect(await counts({ chainId: 56, agentId: 'another', owner: account(77) })).toEqual([0, 0, 0, 4, 0, 0])
    for (const event of ['fund', 'queue', 'expire', 'refund'] as const) await store.moveJob('job-of-run-0', event)
    await store.addIntents([newIntent('x402:x402-of-run-1')])
    expect(await counts()).toEqual([2, 3, 3, 3, 0, 10])
    const { payer: ofPayer, owner } = await paidCallsOf(store).lockPaidCalls({ ...counted, owner: account(77) })
    expect([ofPayer.endsBy, owner.endsBy]).toEqual([(await store.job('job-of-run-1'))?.deadlines.evaluateBy, undefined])
    for (const event of ['fund', 'queue', 'expire', 'refund'] as const) await store.moveJob('job-of-run-1', event)
    expect(await counts()).toEqual([1, 2, 2, 2, 1, 5])
    expect(await paidCallsOf(store).paidCallOfJob('job-of-run-1')).toMatchObject({ settling: 'waiting' })
  })

  test('a paid call waits for its push among the paid jobs, not behind the free ones', async () => {
    const store = await (await fresh()).open()
    await addAgent(store, { endpointUrl: 'https://a.example', viaGateway: false })
    await store.setAgentId(agentKey, agentId)
    for (const runId of ['free-1', 'free-2']) await addRun(store, runId)
    for (const runId of ['free-1', 'free-2']) await store.addJob({ ...newJob(runId), budget: 0n, fee: 0n })
    expect(await claim(store, 'paid')).toBe(true)
    for (const runId of ['free-1', 'free-2', 'paid'])
      for (const event of ['fund', 'queue'] as const) await store.moveJob(`job-of-${runId}`, event)
    expect(await store.pushableJobs(5)).toMatchObject([
      { id: 'job-of-paid', isFree: false },
      { id: 'job-of-free-1', isFree: true },
      { id: 'job-of-free-2', isFree: true },
    ])
  })

  test('a call names the transaction that the ledger has for it now, and decided calls are read page by page', async () => {
    const store = await (await fresh()).open()
    const nonces = countUp(3).map(at => `0x${String(at + 1).repeat(64)}` as const)
    for (const [at, of] of nonces.entries()) await claim(store, `run-${at}`, { nonce: of })
    const post = (key: string, runId: string, at: number) =>
      store.post({ key, chainId, jobId: `job-of-${runId}`, runId, txHash: hash(at), entries: [] })
    const decide = async (runId: string, ...events: ('confirm' | 'refund')[]) => {
      await store.addIntents([newIntent(`x402:x402-of-${runId}`)])
      for (const event of ['fund', 'queue'] as const) await store.moveJob(`job-of-${runId}`, event)
      await store.leaseJob(agentId)
      for (const event of ['submit', 'accept', ...events] as const) await store.moveJob(`job-of-${runId}`, event)
    }
    await decide('run-0', 'confirm')
    await decide('run-1', 'refund')
    await decide('run-2')
    await post('x402:x402-of-run-0:payout', 'run-0', 1)
    expect((await paidCallsOf(store).paidCall('x402-of-run-0'))?.hash).toBe(hash(1))
    await post('x402:x402-of-run-0:payout:reversed', 'run-0', 1)
    expect((await paidCallsOf(store).paidCall('x402-of-run-0'))?.hash).toBeUndefined()
    await post('x402:x402-of-run-0:payout:2', 'run-0', 2)
    expect(await paidCallsOf(store).paidCallOfJob('job-of-run-0')).toMatchObject({ hash: hash(2), settling: 'waiting' })

    const first = await paidCallsOf(store).decidedCalls(chainId, { afterSeq: 0, limit: 1 })
    expect(first).toMatchObject([{ id: 'x402-of-run-0', hash: hash(2) }])
    const rest = await paidCallsOf(store).decidedCalls(chainId, { afterSeq: first[0]?.seq ?? 0, limit: 9 })
    expect(rest.map(it => [it.id, it.hash])).toEqual([['x402-of-run-1', undefined]])
    expect((await paidCallsOf(store).unpaidCalls(chainId, { afterSeq: 0, limit: 9 })).map(it => it.id)).toEqual(['x402-of-run-1'])
    expect(await paidCallsOf(store).decidedCalls(56, { afterSeq: 0, limit: 9 })).toEqual([])
  })
})
