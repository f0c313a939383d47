import { expect, test } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { addTask } from '../../../src/operations/gateway/taskQueue.ts'
import { addAgent, addQueuedJob, agentId, agentKey, countUp } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const add = (store: OpenStore, name: string, queue = agentId) =>
  store.addTask({ id: `task-${name}`, name, queue, payload: { text: 'é\u2028' } })
const shift = (store: OpenStore, column: string, ms: number) =>
  store.db.tx(sql => sql(`update gateway_task set ${column} = ${column} - $1 where ${column} is not null`, [ms]))

describeStores('gateway', fresh => {
  test('a task is stored once by its name, and given to one of many agents that poll', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const added = await Promise.all(countUp(10).map(at => add(at % 2 ? one : two, 'once')))
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await one.queuesWithTasks()).toEqual([agentId])
    const given = await Promise.all(countUp(30).map(at => (at % 2 ? one : two).leaseTask(agentId)))
    expect(given.filter(Boolean)).toMatchObject([{ id: 'task-once', attempt: 1, state: 'working', payload: { text: 'é\u2028' } }])
    expect([await one.queuesWithTasks(), await one.lockWaitingTaskCount(agentId)]).toEqual([[], 0])
  })

  test('the number of waiting tasks of an agent is limited, also under concurrency, and a repeated task counts once', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const known = { agent: undefined, isStrict: false, latches: false, hasSecret: false }
    const submit = (name: string, store = one) =>
      addTask({ store, ids: { fresh: () => `task-${name}` } }, { name, queue: { queue: 'external:busy', known }, payload: {} })
    const names = countUp(limits.waitingTasks + 20).map(at => `n${at}`)
    const ends = await Promise.allSettled(names.map((name, at) => submit(name, at % 2 ? one : two)))
    const refused = ends.flatMap(it => (it.status === 'rejected' ? [it.reason] : []))
    expect(refused).toHaveLength(20)
    expect(refused).toMatchObject(refused.map(() => ({ type: 'rate-limited' })))
    const taken = names[ends.findIndex(it => it.status === 'fulfilled')] ?? ''
    expect(await submit(taken)).toMatchObject({ name: taken, state: 'pending' })
    await two.leaseTask('external:busy')
    expect(await submit('one-more')).toMatchObject({ state: 'pending' })
  })

  test('a task ends once, and only its holder completes it', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await add(one, 'a')
    expect(await one.endTask('task-a', { state: 'completed', result: 'unasked' })).toBeUndefined()
    await one.leaseTask(agentId)
    const ends = await Promise.all(
      countUp(20).map(at => (at % 2 ? one : two).endTask('task-a', { state: 'completed', result: { at } })),
    )
    const [first, ...others] = ends.filter(it => it !== undefined)
    expect([first?.state, others]).toEqual(['completed', []])
    expect(await one.endTask('task-a', { state: 'canceled' })).toBeUndefined()
    expect(await one.task('a')).toEqual(first)
  })

  test('a task of a silent agent is offered again, then fails; one that nobody takes fails too; old ones are deleted', async () => {
    const { open, wakeups } = await fresh()
    const store = await open()
    await add(store, 'a')
    await add(store, 'alone', 'external:nobody')
    for (const attempt of countUp(limits.attempts)) {
      expect(await store.leaseTask(agentId)).toMatchObject({ id: 'task-a', attempt: attempt + 1 })
      await store.sweepTasks()
      expect(await store.task('a')).toMatchObject({ state: 'working' })
      await shift(store, 'lease_until', limits.taskLeaseMs + 1_000)
      await store.sweepTasks()
    }
    expect(await store.task('a')).toMatchObject({ state: 'failed', error: 'The agent did not answer.' })
    expect(wakeups.filter(it => it === `tasks:${agentId}`)).toHaveLength(limits.attempts)
    await shift(store, 'created_at', limits.taskMs + 1_000)
    await store.sweepTasks()
    expect(await store.task('alone')).toMatchObject({ state: 'failed' })
    await shift(store, 'updated_at', limits.taskKeepMs + 1_000)
    await store.sweepTasks()
    expect([await store.task('a'), await store.task('alone')]).toEqual([undefined, undefined])
  })

  test('a late result is accepted while there is no other', async () => {
    const store = await (await fresh()).open()
    await add(store, 'a')
    await store.leaseTask(agentId)
    await shift(store, 'lease_until', limits.taskLeaseMs + 1_000)
    await store.sweepTasks()
    expect(await store.endTask('task-a', { state: 'completed', result: null })).toMatchObject({ state: 'completed' })
  })

  test('an agent becomes strict once, unless its owner keeps it open', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    expect([await store.latchAgent(agentKey), await store.latchAgent(agentKey)]).toEqual([true, false])
    await store.putAgentAccess(agentKey, { isStrict: false })
    expect([await store.latchAgent(agentKey), (await store.agentAccess(agentKey)).isStrict]).toEqual([false, false])
  })

  test('the serving mode of an agent is stored member by member', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    expect(await store.agentAccess(agentKey)).toEqual({ isStrict: false, keepsOpen: false, secretHash: undefined })
    await store.putAgentAccess(agentKey, { secretHash: 'h1' })
    await store.putAgentAccess(agentKey, { isStrict: true })
    expect(await store.agentAccess(agentKey)).toEqual({ isStrict: true, keepsOpen: false, secretHash: 'h1' })
    expect(await store.agentKeyOfSecret('h1')).toBe(agentKey)
    await store.putAgentAccess(agentKey, { secretHash: null })
    expect([await store.agentKeyOfSecret('h1'), (await store.agentAccess(agentKey)).isStrict]).toEqual([undefined, true])
    await store.setAgentId(agentKey, agentId)
    expect([await store.agentIdsByNumber('7'), await store.agentIdsByNumber('8')]).toEqual([[agentId], []])
    const access = [{ agent: { id: agentId, key: agentKey }, isStrict: true, keepsOpen: false, secretHash: undefined }]
    expect(await store.accessOf([agentId, '97:0x8004a818bfb912233c491871b3d84c89a494bd9e:999'])).toMatchObject(access)
    expect([await store.newestAccess(1), await store.accessOf([])]).toMatchObject([access, []])
  })

  test('a job is pushed to an address once at a time, with a pause, and at most five times', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addAgent(one, { endpointUrl: 'https://a.example', viaGateway: false })
    await one.setAgentId(agentKey, agentId)
    const id = await addQueuedJob(one)
    for (const pushes of countUp(limits.pushes)) {
      expect(await one.pushableJobs(5)).toMatchObject([{ id, agentId, pushes }])
      const leased = await Promise.all(
        countUp(8).map(at => (at % 2 ? one : two).leasePush(agentId, id, pushes === 0 ? 60_000 : -1)),
      )
      expect(leased.filter(Boolean)).toMatchObject([{ id, attempt: 1 }])
      await one.setUndelivered(id, 1)
      if (pushes > 0) continue
      expect(await one.pushableJobs(5)).toEqual([])
      await one.db.tx(sql => sql('update job set push_after = 0'))
    }
    expect(await one.pushableJobs(5)).toEqual([])
    expect(await one.agentsWithWork()).toEqual([agentId])
    expect(await two.leaseJob(agentId)).toMatchObject({ id, attempt: 1 })
  })

  test('a failed push is given to one of many pollers, under its existing lease and deadline', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const id = await addQueuedJob(one)
    const leased = await one.leaseJob(agentId)
    await one.setUndelivered(id, 2)
    expect(await one.leaseJob(agentId)).toBeUndefined()
    await one.setUndelivered(id, 1)
    const again = await Promise.all(countUp(20).map(at => (at % 2 ? one : two).leaseJob(agentId)))
    expect(again.filter(Boolean).map(it => [it?.id, it?.attempt, it?.leaseUntil])).toEqual([[id, 1, leased?.leaseUntil]])
    await one.setUndelivered(id, 1)
    const queued = await addQueuedJob(one, 'run-2')
    const isTaken = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const first = one.atomically(async tables => {
      const job = await tables.leaseJob(agentId)
      isTaken.resolve()
      await mayEnd.promise
      return job
    })
    await isTaken.promise
    // On a server the rival gets the next job at once. A file has one writer.
    const next = two.leaseJob(agentId)
    if (one.db.dialect === 'postgres') await next
    mayEnd.resolve()
    expect([await first, await next]).toMatchObject([{ id }, { id: queued }])
    await one.setUndelivered(id, 1)
    await one.moveJob(id, 'submit', { deliverable: 'late' })
    expect([await one.leaseJob(agentId), await one.agentsWithWork()]).toEqual([undefined, []])
  })
})
