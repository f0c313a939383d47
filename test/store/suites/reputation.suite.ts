import { expect, test } from 'vitest'
import { rateAgents } from '../../../src/workers/rateAgents.ts'
import { account, addAgent, addQueuedJob, addRun, agentId, agentKey, newAgent, newJob, offering, user } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const openMarket = async (open: () => Promise<OpenStore>) => {
  const store = await open()
  await addAgent(store)
  await store.setAgentId(agentKey, agentId)
  return store
}

/** Adds a job with a judged deliverable. */
const judge = async (store: OpenStore, runId: string, event: 'accept' | 'reject') => {
  const id = await addQueuedJob(store, runId)
  await store.leaseJob(agentId)
  await store.moveJob(id, 'submit', { deliverable: 'x' })
  await store.moveJob(id, event)
  return id
}

const sumOf = async (store: OpenStore) => {
  const rows = await store.judgements({ agentIds: [agentId] })
  return rows.map(({ payer, judged, accepted, punctual }) => ({ payer, judged, accepted, punctual }))
}

describeStores('judgements', fresh => {
  test('accepted, rejected and undelivered jobs are counted, and who delivered in time', async () => {
    const store = await openMarket((await fresh()).open)
    await judge(store, 'run-1', 'accept')
    await judge(store, 'run-2', 'reject')
    await store.moveJob(await addQueuedJob(store, 'run-3'), 'expire')
    expect(await sumOf(store)).toEqual([{ payer: user, judged: 3, accepted: 1, punctual: 2 }])
    const [row] = await store.judgements({ agentIds: [agentId] })
    expect(row?.median).toBeGreaterThanOrEqual(0)
    expect(row?.lastDelivery).toBeGreaterThan(0)
  })

  test('after a judgement the new rating of an agent is listed at once, and kept when it has been computed', async () => {
    const store = await openMarket((await fresh()).open)
    const top = () => store.topRated({ isVerified: true, limit: 9 })
    const dueOf = async () => (await store.dueRatings(9)).map(({ agentId: id, due, rows }) => [id, due, rows[0]?.judged])
    expect([await top(), await dueOf()]).toEqual([[], []])
    await judge(store, 'run-1', 'accept')
    expect([await top(), await dueOf()]).toEqual([[agentId], [[agentId, 1, 1]]])
    const worker = rateAgents({ store, clock: { now: Date.now } })
    await judge(store, 'run-2', 'accept')
    // A rating of what was read before the second judgement.
    await store.keepRatings([{ agentId, due: 1, topScore: 0.9 }])
    expect(await dueOf()).toEqual([[agentId, 2, 2]])
    await worker.runOnce()
    expect([await top(), await dueOf()]).toEqual([[agentId], []])
    expect([
      await store.topRated({ isVerified: true, limit: 9, chainId: 56 }),
      await store.topRated({ isVerified: false, limit: 9 }),
    ]).toEqual([[], []])
    await store.disputeJob('job-of-run-1', { reason: 'Wrong', withinMs: 60_000 })
    expect(await dueOf()).toEqual([[agentId, 1, 2]])
    await store.retireAgent(agentKey)
    expect(await top()).toEqual([])
  })

  test('jobs that were cancelled or never funded do not count for or against the agent', async () => {
    const store = await openMarket((await fresh()).open)
    await store.moveJob(await addQueuedJob(store, 'run-1'), 'withdraw')
    await addRun(store, 'run-2')
    await store.addJob(newJob('run-2'))
    await store.moveJob('job-of-run-2', 'cancel')
    expect(await sumOf(store)).toEqual([])
  })

  test('an owner who hires the own agent gains nothing by any number of jobs', async () => {
    const store = await (await fresh()).open()
    await addAgent(store, { ...newAgent, owner: user })
    await store.setAgentId(agentKey, agentId)
    for (const run of ['run-1', 'run-2', 'run-3']) await judge(store, run, 'accept')
    expect(await sumOf(store)).toEqual([])
  })

  test('an agent is new while it has few judgements, a verified owner and an offering', async () => {
    const store = await openMarket((await fresh()).open)
    const fresher = () => store.newAgents({ chainId: 97, judgedBelow: 2, limit: 10 })
    expect(await fresher()).toEqual([])
    await store.putOfferings(agentKey, [offering()])
    await store.addKeyRegistration({ agentKey, wallet: account(1), source: undefined })
    expect([await fresher(), await store.unverifiedIds()]).toEqual([[], [agentId]])
    await store.confirmAgent(agentKey)
    expect([await fresher(), await store.unverifiedIds()]).toEqual([[agentId], []])
    await judge(store, 'run-1', 'accept')
    expect(await fresher()).toEqual([agentId])
    await judge(store, 'run-2', 'accept')
    expect(await fresher()).toEqual([])
  })
})
