import { expect, test } from 'vitest'
import { dayMs } from '../../../src/domain/durations.ts'
import { nothingPruned } from '../../../src/domain/operator/retention.ts'
import { purchasesOf } from '../../../src/features/x402Buying/ports.ts'
import { book } from '../../../src/operations/ledger/bookings.ts'
import type { Tables } from '../../../src/ports.ts'
import { account, addQueuedJob, addRun, agentId, chainId, countUp, hash, newIntent, user } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const old = 9 * dayMs
const age = (store: OpenStore) =>
  store.db.tx(async sql => {
    await sql('update run set updated_at = updated_at - $1', [old])
    await sql('update job set updated_at = updated_at - $1', [old])
    await sql(`delete from outbox where topic = 'learn'`)
  })

const texts = (store: Tables, runId: string) =>
  Promise.all([store.runEvents(runId, 0, 99), store.messages(`talk-of-${runId}`, user), store.runInput(runId, 'i')])

/** Adds a run with texts of every kind, in which nothing is hired. */
const addTalk = async (store: OpenStore, id: string) => {
  await addRun(store, id)
  await addTexts(store, id)
  await end(store, id)
}
const addTexts = async (store: OpenStore, id: string) => {
  await store.addRunEvent(id, { kind: 'message', summary: 'a secret plan', data: {} })
  await store.addMessage(`talk-of-${id}`, user, { role: 'user', content: 'a secret plan', runId: id })
  await store.addRunInput(id, 'i', { kind: 'answer', text: 'a secret plan' })
}
const end = (store: OpenStore, id: string) =>
  store.db.tx(sql =>
    sql(`update run set state = 'completed', answer = 'a secret plan', wake_at = null, held_until = null where id = $1`, [id]),
  )

/** Adds a run whose job was settled, paid and rated. */
const addHire = async (store: OpenStore, id: string) => {
  const jobId = await addQueuedJob(store, id)
  await addTexts(store, id)
  await store.leaseJob(agentId)
  await store.moveJob(jobId, 'submit', { deliverable: 'a secret plan' })
  for (const event of ['accept', 'confirm'] as const) await store.moveJob(jobId, event)
  const job = await store.job(jobId)
  if (!job) throw new Error('no job')
  await book(store, job, {
    step: 'payout',
    txHash: hash(1),
    legs: [
      ['escrow', -5n],
      [`wallet:${job.agentWallet}`, 5n],
    ],
  })
  await store.setFeedback(jobId, '{"value":100}')
  await end(store, id)
  return jobId
}
const changed = async (store: OpenStore, change: string) => {
  await addTalk(store, 'it')
  await store.db.tx(sql => sql(`update run set ${change} where id = 'it'`))
}

const buys = async (store: OpenStore) => {
  await addTalk(store, 'it')
  await store.addWallet({ address: account(3), role: 'user', owner: user, sealedKey: 'sealed' })
  await purchasesOf(store).addPurchase({
    ...{ id: 'it', user, wallet: account(3), chainId, method: 'GET', url: 'https://seller.example', body: undefined },
    ...{ asset: account(8), payTo: account(9), amount: 5n, timeoutS: 60, version: 2, requirement: {}, resource: undefined },
    ...{ extensions: undefined, description: 'The weather', outside: '', digest: '12345678', isByButler: false },
  })
  await purchasesOf(store).agreePurchase('it', {
    digest: '12345678',
    nonce: hash(1),
    validBefore: 2_000_000_000,
    mandateId: undefined,
  })
}

describeStores('retention', fresh => {
  test('the texts of ended runs are removed after the retention time, once, and what concerns money stays', async () => {
    const store = await (await fresh()).open()
    await addTalk(store, 'talk')
    const jobId = await addHire(store, 'hire')
    expect(await store.pruneRuns(dayMs)).toEqual(nothingPruned)
    await age(store)
    const [events, before, paid] = [await store.runEvents('hire', 0, 99), await store.job(jobId), await store.ledger({ jobId })]
    const gone = {
      ...{ deleted: 1, emptied: 1, events: events.length + 1, messages: 2, inputs: 2, checkpoints: 0, steps: 0, deliverables: 1 },
      purchased: 0,
    }
    expect(await store.countPrunable(dayMs)).toEqual(gone)
    expect(await store.pruneRuns(dayMs)).toEqual(gone)
    expect(await store.run('talk')).toBeUndefined()
    for (const id of ['talk', 'hire']) expect(await texts(store, id)).toEqual([[], [], undefined])
    expect(await store.run('hire')).toMatchObject({ answer: '', state: 'completed', prunedAt: expect.any(Number) })
    expect(await store.job(jobId)).toEqual({ ...before, deliverable: undefined })
    expect([await store.ledger({ jobId }), await store.feedback(jobId)]).toEqual([paid, '{"value":100}'])
    expect(await store.countPrunable(dayMs)).toEqual(nothingPruned)
    expect(await store.pruneRuns(dayMs)).toEqual(nothingPruned)
  })

  test('packed events are counted and removed like others', async () => {
    const store = await (await fresh()).open()
    await addHire(store, 'hire')
    await store.wakeRun('hire')
    const [held] = await store.claimRuns(60_000, 1)
    const { lastSeq = 0 } = (await store.run('hire')) ?? {}
    await store.releaseRun('hire', held?.lease ?? '', {
      ...{
        state: 'completed',
        interruptId: undefined,
        answer: 'Done.',
        questions: undefined,
        proposal: undefined,
        jobId: undefined,
      },
    })
    expect(await store.db.sql('select seq from run_event')).toEqual([])
    await age(store)
    expect([await store.countPrunable(dayMs), await store.pruneRuns(dayMs)]).toMatchObject([
      { events: lastSeq },
      { events: lastSeq },
    ])
    expect([await store.runEvents('hire', 0, 99), await store.countPrunable(dayMs)]).toEqual([[], nothingPruned])
  })

  test.each<[what: string, add: (store: OpenStore) => Promise<unknown>]>([
    ['works', store => addRun(store, 'it')],
    ['waits for its user', store => changed(store, `state = 'awaiting-input'`)],
    ['was woken', store => changed(store, 'wake_at = {NOW}')],
    ['is held', store => changed(store, 'held_until = {NOW} + 9')],
    ['has an open job', store => addQueuedJob(store, 'it').then(() => end(store, 'it'))],
    ['has an unmined effect', store => addHire(store, 'it').then(id => store.addIntents([newIntent(`job:${id}:feedback`)]))],
    ['has no feedback yet', store => addHire(store, 'it').then(() => store.db.tx(sql => sql('update job set feedback = null')))],
    ['buys something', buys],
  ])('a run that %s is not touched, however old it is', async (_what, add) => {
    const store = await (await fresh()).open()
    await add(store)
    await age(store)
    expect([await store.countPrunable(0), await store.pruneRuns(0)]).toEqual([nothingPruned, nothingPruned])
  })

  test('many runs are removed in bounded pieces, by two processes at once, and each is counted once', async () => {
    const [one, two] = await (await fresh()).openRivals()
    for (const at of countUp(230)) await addRun(one, `run-${at}`)
    await one.db.tx(sql => sql(`update run set state = 'failed', wake_at = null`))
    await age(one)
    const first = await one.pruneRuns(dayMs)
    expect(first.deleted).toBeLessThan(230)
    const all = await Promise.all([one.pruneRuns(dayMs), two.pruneRuns(dayMs)])
    const last = await two.pruneRuns(dayMs)
    expect([first, ...all, last].reduce((sum, it) => sum + it.deleted, 0)).toBe(230)
  })
})
