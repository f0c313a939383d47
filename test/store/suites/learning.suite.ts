import { expect, test } from 'vitest'
import { learnJob } from '../../../src/operations/market/learning.ts'
import { account, addAgent, addQueuedJob, agentId, agentKey, countUp, newAgent, offering, user } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const start = async (store: OpenStore) => {
  await addAgent(store)
  await store.putOfferings(agentKey, [offering()])
  await store.setAgentId(agentKey, agentId)
}

/** Adds a job that has been paid. */
const settle = async (store: OpenStore, runId: string) => {
  const id = await addQueuedJob(store, runId)
  const data = { task: 'take notes of my talk' }
  await store.addRunEvent(runId, { kind: 'understood', summary: 'Understood.', data, key: 'understood:1' })
  await store.leaseJob(agentId)
  for (const event of ['submit', 'accept', 'confirm'] as const) await store.moveJob(id, event, { deliverable: 'notes' })
  return id
}
const learnSettled = async (store: OpenStore) => {
  const rows = await store.claimOutbox('learn', 1_000, 100)
  for (const row of rows) await learnJob({ store }, String(Object(row.payload).jobId))
  await store.doneOutbox(
    'learn',
    rows.map(it => it.key),
  )
  return rows.length
}

const request = (number: number, payer = account(1_000 + number)) => ({
  ...{ jobId: `job-of-run-${number}`, agentKey, offeringId: 'notes', payer, terms: [`term${number}`] },
})
const termsOf = async (store: OpenStore) => (await store.learnedRequests([agentId])).flatMap(it => it.terms)

describeStores('learning', fresh => {
  test('a settled job teaches the words of its request once, and queues its agent for indexing', async () => {
    const store = await (await fresh()).open()
    await start(store)
    const id = await settle(store, 'run-1')
    await addQueuedJob(store, 'unsettled')
    const before = await store.indexHorizon()
    expect(await learnSettled(store)).toBe(1)
    expect(await store.learnedRequests([agentId])).toEqual([{ agentId, offeringId: 'notes', terms: ['take', 'note', 'talk'] }])
    expect((await store.indexChanges(before)).changes).toMatchObject([{ agentKey }])
    await store.moveJob(id, 'unpay')
    expect(await termsOf(store)).toEqual([])
    await store.moveJob(id, 'confirm')
    expect(await learnSettled(store)).toBe(0)
    expect(await termsOf(store)).toEqual(['take', 'note', 'talk'])
  })

  test('an agent is indexed again only when what its offering learned has changed', async () => {
    const store = await (await fresh()).open()
    await start(store)
    const before = await store.indexHorizon()
    const isIndexed = async () => (await store.indexChanges(before)).changes.map(it => it.key).at(-1)
    const seen = []
    for (const number of countUp(5)) {
      await store.learnRequest({ ...(await known(store, number, user)), terms: ['haiku'] })
      seen.push(await isIndexed())
    }
    // The fourth and fifth request of one payer replace earlier ones with the same words.
    expect(new Set(seen.slice(0, 3)).size).toBe(3)
    expect(new Set(seen.slice(2)).size).toBe(1)
    await store.learnRequest({ ...(await known(store, 6, user)), terms: ['sonnet'] })
    expect(await isIndexed()).not.toBe(seen[4])
  })

  test('a hire of one’s own agent teaches nothing', async () => {
    const store = await (await fresh()).open()
    await addAgent(store, { ...newAgent, owner: user })
    await store.putOfferings(agentKey, [offering()])
    await store.setAgentId(agentKey, agentId)
    await settle(store, 'run-1')
    expect(await learnSettled(store)).toBe(1)
    expect(await termsOf(store)).toEqual([])
  })

  test('a user who opts out teaches nothing more, and their learned words are deleted', async () => {
    const store = await (await fresh()).open()
    await start(store)
    await settle(store, 'run-1')
    await learnSettled(store)
    await store.setLearning(user, false)
    expect(await termsOf(store)).toEqual([])
    await settle(store, 'run-2')
    await learnSettled(store)
    expect(await termsOf(store)).toEqual([])
    await store.setLearning(user, true)
    await settle(store, 'run-3')
    await learnSettled(store)
    expect(await termsOf(store)).toEqual(['take', 'note', 'talk'])
  })

  test('one payer counts at most three times for an offering, and an offering learns from fifty requests', async () => {
    const store = await (await fresh()).open()
    await start(store)
    for (const number of countUp(60)) await store.learnRequest(await known(store, number))
    expect(await termsOf(store)).toHaveLength(50)
    for (const number of countUp(10)) await store.learnRequest(await known(store, 100 + number, account(5)))
    const terms = await termsOf(store)
    expect(terms).toHaveLength(50)
    expect(terms.filter(it => Number(it.slice(4)) >= 100)).toHaveLength(3)
  })
})

/** Adds a learned request of a settled job. */
const known = async (store: OpenStore, number: number, payer?: ReturnType<typeof account>) => {
  await settle(store, `run-${number}`)
  return request(number, payer)
}
