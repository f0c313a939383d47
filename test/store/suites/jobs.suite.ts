import fc from 'fast-check'
import { expect, test } from 'vitest'
import { causes, isFinal, type JobEvent, type JobState, jobStates, next, sourcesOf } from '../../../src/domain/jobs/job.ts'
import { limits } from '../../../src/domain/limits.ts'
import { addQueuedJob, addRun, agentId, chainId, countUp, newJob, user } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const first = { afterSeq: 0, limit: 5 }
const isEvent = (text: string): text is JobEvent => Object.hasOwn(causes, text)
const events = Object.keys(causes).filter(isEvent)

type Model = { state: JobState; attempt: number; isFunded: boolean }

/**
 * The guards besides the table of moves. A lease needs a remaining attempt, and a late deliverable an earlier lease. A
 * withdrawal needs a job that was never leased, and waive and recall a kept deliverable. Leases and unfund need a funded job;
 * fund and cancel need one that is not funded.
 */
const isBarred = ({ state, attempt, isFunded }: Model, event: JobEvent): boolean => {
  if (event === 'lease') return attempt >= limits.attempts || !isFunded
  if (event === 'withdraw') return attempt > 0
  if (event === 'waive' || event === 'recall') return true
  if (event === 'fund' || event === 'cancel') return isFunded
  if (event === 'unfund') return !isFunded
  return event === 'submit' && state === 'queued' && attempt === 0
}

/** Each event in the log must start in the state where the previous one ended. */
const pathOf = async (store: OpenStore, runId: string) => {
  const log = await store.runEvents(runId, 0, 1000)
  expect(log.map(it => it.seq)).toEqual(countUp(log.length).map(at => at + 1))
  return log.map(it => it.data)
}

describeStores('jobs', fresh => {
  test('a job keeps every digit of its terms', async () => {
    const store = await (await fresh()).open()
    await addRun(store)
    const wanted = newJob('run-1')
    expect(await store.addJob(wanted)).toMatchObject({ ...wanted, state: 'open', attempt: 0, chainJobId: undefined, reason: '' })
    await store.moveJob(wanted.id, 'fund', { chainJobId: 2n ** 200n })
    expect(await store.jobOnChain(97, 2n ** 200n)).toMatchObject(wanted)
    expect(await store.jobOfRun('run-1')).toEqual(await store.job(wanted.id))
    expect(await store.jobs({ user, state: 'escrowed', limit: 5, offset: 0 })).toHaveLength(1)
    expect(await store.jobs({ agentId: 'another', limit: 5, offset: 0 })).toEqual([])
  })

  test('a run has one job', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addRun(one)
    const added = await Promise.all(countUp(8).map(at => (at % 2 ? one : two).addJob(newJob('run-1', { id: `job-${at}` }))))
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await pathOf(one, 'run-1')).toEqual([{ job_id: added.find(Boolean)?.id, to: 'open', attempt: 0 }])
  })

  test('a move that is not in the table changes nothing', async () => {
    const store = await (await fresh()).open()
    const id = await addQueuedJob(store)
    const before = await store.job(id)
    const log = await store.runEvents('run-1', 0, 100)
    for (const event of ['fund', 'cancel', 'queue', 'lapse', 'accept', 'refund', 'lease', 'submit'] as const)
      expect(await store.moveJob(id, event, { reason: 'no', deliverable: 'no' })).toBeUndefined()
    expect(await store.job(id)).toEqual(before)
    expect(await store.runEvents('run-1', 0, 100)).toEqual(log)
    expect(await store.moveJob('no-job', 'fund')).toBeUndefined()
  })

  test('any sequence of events follows the table of moves, also from rows read before, and the log is the path', async () => {
    const store = await (await fresh()).open()
    let count = 0
    const followsTable = async (order: JobEvent[], ages: number[]) => {
      count += 1
      await addRun(store, `run-${count}`)
      const agent = `agent-${count}`
      const job = await store.addJob(newJob(`run-${count}`, { agentId: agent }))
      const model: Model = { state: 'open', attempt: 0, isFunded: false }
      const rows = [job]
      for (const [at, event] of order.entries()) {
        // The newest row, an earlier one, or none.
        const from = rows.at(-(ages[at % ages.length] ?? rows.length + 1))
        const patch = { from, ...(event === 'fund' && { chainJobId: 1_000n + BigInt(count) }) }
        const moved = event === 'lease' ? await store.leaseJob(agent) : await store.moveJob(job?.id ?? '', event, patch)
        if (moved) rows.push(moved)
        const to = isBarred(model, event) ? undefined : next(model.state, event)
        expect(moved?.state).toBe(to)
        if (moved && event === 'lease') model.attempt += 1
        model.state = to ?? model.state
        if (to && (event === 'fund' || event === 'unfund')) model.isFunded = event === 'fund'
        expect(moved === undefined || (moved.leaseUntil !== undefined) === (model.state === 'leased')).toBe(true)
      }
      const now = await store.job(job?.id ?? '')
      expect(now).toMatchObject({ state: model.state, attempt: model.attempt })
      const path = await pathOf(store, `run-${count}`)
      expect(path.at(-1)?.to).toBe(model.state)
      path.slice(1).forEach((step, at) => {
        expect(step.from).toBe(path[at]?.to)
      })
    }
    // Half of the sequences follow the usual order, so that late states are reached too.
    const forward = fc.constantFrom<JobEvent[]>(
      ['fund', 'queue', 'lease', 'submit', 'accept', 'confirm'],
      ['fund', 'queue', 'lease', 'submit', 'revise', 'lease', 'lapse', 'submit', 'reject', 'refund'],
      ['fund', 'queue', 'lease', 'lapse', 'lease', 'lapse', 'lease', 'lapse', 'lease', 'expire', 'refund'],
      ['fund', 'queue', 'lease', 'unfund', 'submit', 'fund', 'accept', 'confirm', 'unpay', 'unfund', 'cancel', 'fund', 'refund'],
    )
    const noise = fc.array(fc.constantFrom(...events), { maxLength: 12 })
    const orders = fc.tuple(forward, fc.nat(11), noise).map(([path, cut, rest]) => [...path.slice(0, cut), ...rest])
    const ages = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 })
    await fc.assert(fc.asyncProperty(orders, ages, followsTable), { numRuns: 40 })
  })

  test('the check constraint and the table of moves name the same states', async () => {
    const store = await (await fresh()).open()
    const id = await addQueuedJob(store)
    const write = (state: string) =>
      store.db.tx(sql => sql('update job set state = $2, lease_until = null where id = $1', [id, state]))
    for (const state of jobStates.filter(it => it !== 'leased')) await write(state)
    await expect(write('paid')).rejects.toThrow()
  })

  test('of many concurrent takers of one job one gets it', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const id = await addQueuedJob(one)
    const taken = await Promise.all(countUp(40).map(at => (at % 2 ? one : two).leaseJob(agentId)))
    expect(taken.filter(Boolean).map(it => [it?.id, it?.attempt])).toEqual([[id, 1]])
  })

  test('many jobs and many takers: each job goes to one taker, oldest first', async () => {
    const [one, two] = await (await fresh()).openRivals()
    for (const at of countUp(20)) await addQueuedJob(one, `run-${at}`)
    expect(await one.agentsWithWork()).toEqual([agentId])
    expect(await one.leaseJob(agentId)).toMatchObject({ runId: 'run-0' })
    const taken = await Promise.all(countUp(50).map(at => (at % 2 ? one : two).leaseJob(agentId)))
    const first = new Set(taken.filter(Boolean).map(it => it?.id))
    // A lease may be refused while another caller locks the row, but no job is leased twice.
    expect(taken.filter(Boolean)).toHaveLength(first.size)
    for (let more = await one.leaseJob(agentId); more; more = await one.leaseJob(agentId)) first.add(more.id)
    expect(first.size).toBe(19)
    expect(await one.agentsWithWork()).toEqual([])
  })

  test('a deliverable is accepted once, and the first stays', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const id = await addQueuedJob(one)
    await one.leaseJob(agentId)
    const hand = (at: number) => (at % 2 ? one : two).moveJob(id, 'submit', { deliverable: `work ${at}` })
    const taken = (await Promise.all(countUp(30).map(hand))).filter(it => it !== undefined)
    expect(taken).toHaveLength(1)
    expect(await one.job(id)).toEqual(taken[0])
    expect((await pathOf(one, 'run-1')).filter(it => it.event === 'submit')).toHaveLength(1)
  })

  test('of a concurrent revision and waiver one counts, and the deliverable that passed is kept', async () => {
    const [one, two] = await (await fresh()).openRivals()
    for (const at of countUp(12)) {
      const id = await addQueuedJob(one, `run-${at}`)
      await one.leaseJob(agentId)
      await one.moveJob(id, 'submit', { deliverable: 'first' })
      const verdict = { attempt: 1, pass: true, criteria: [] }
      // Read before its verdict, as by a caller who is late.
      const from = await two.job(id)
      await one.addVerdict(id, verdict)
      expect(await one.moveJob(id, 'revise', { from })).toMatchObject({
        state: 'queued',
        kept: { deliverable: 'first', verdict },
      })
      expect(await two.leaseJob(agentId)).toMatchObject({ id, deliverable: undefined, attempt: 2 })
      const submit = () => one.moveJob(id, 'submit', { deliverable: 'second' })
      const waive = () => two.moveJob(id, 'waive')
      const [won, ...others] = (await Promise.all((at % 2 ? [submit, waive] : [waive, submit]).map(it => it()))).filter(Boolean)
      expect(others).toEqual([])
      expect(await one.job(id)).toEqual(won)
      const end = won?.state ?? ''
      expect(won).toMatchObject(end === 'settling' ? { deliverable: 'first', outcome: 'accepted' } : { deliverable: 'second' })
      // The second deliverable did not pass, so the first one is used.
      await one.addVerdict(id, { attempt: 2, pass: false, criteria: [] })
      await one.moveJob(id, 'recall')
      expect(await one.job(id)).toMatchObject({ state: 'settling', deliverable: 'first', verdict })
    }
  })

  test('a late deliverable of a queued job is accepted, and an unrequested one is not', async () => {
    const store = await (await fresh()).open()
    const id = await addQueuedJob(store)
    expect(await store.moveJob(id, 'submit', { deliverable: 'unasked' })).toBeUndefined()
    await store.leaseJob(agentId)
    await store.moveJob(id, 'lapse')
    expect(await store.moveJob(id, 'submit', { deliverable: 'late' })).toMatchObject({
      state: 'submitted',
      deliverable: 'late',
      attempt: 1,
    })
  })

  test('a lease expires, is counted before the work, and ends with the promise', async () => {
    const store = await (await fresh()).open()
    const id = await addQueuedJob(store, 'run-1', { leaseMs: -1000 })
    for (const attempt of countUp(limits.attempts)) {
      expect(await store.overdueJobs(chainId, first)).toEqual([])
      expect(await store.leaseJob(agentId)).toMatchObject({ id, attempt: attempt + 1 })
      expect(await store.lapsedJobs(5)).toMatchObject([{ id }])
      expect(await store.moveJob(id, 'lapse')).toMatchObject({ state: 'queued', leaseUntil: undefined })
    }
    expect(await store.leaseJob(agentId)).toBeUndefined()
    expect(await store.overdueJobs(chainId, first)).toMatchObject([{ id }])

    const submitBy = Date.now() + 30_000
    await addQueuedJob(store, 'run-2', { submitBy, leaseMs: 10 * 60_000, agentId: 'hasty' })
    expect(await store.leaseJob('hasty')).toMatchObject({ leaseUntil: submitBy })
    expect(await store.lapsedJobs(5)).toEqual([])
  })

  test('nothing is leased after its promise, and a job in any state before the deliverable is then reported as overdue', async () => {
    const store = await (await fresh()).open()
    const submitBy = Date.now() - 1000
    const id = await addQueuedJob(store, 'run-1', { submitBy })
    expect(await store.leaseJob(agentId)).toBeUndefined()
    expect(await store.overdueJobs(chainId, first)).toMatchObject([{ id, state: 'queued' }])
    expect(await store.moveJob(id, 'expire', { reason: 'Nobody came.' })).toMatchObject({
      state: 'expired',
      reason: 'Nobody came.',
    })
    expect(await store.overdueJobs(chainId, first)).toEqual([])
    expect(sourcesOf('expire').every(state => !isFinal(state))).toBe(true)
  })

  test('the list of jobs to end is for one chain, and is read completely, page by page', async () => {
    const store = await (await fresh()).open()
    const submitBy = Date.now() - 1000
    for (const at of countUp(12)) await addQueuedJob(store, `run-${at}`, { submitBy, chainId: at % 8 === 3 ? chainId : 56 })
    expect((await store.overdueJobs(chainId, first)).map(it => it.runId)).toEqual(['run-3', 'run-11'])
    const page = await store.overdueJobs(56, first)
    const rest = await store.overdueJobs(56, { afterSeq: page.at(-1)?.seq ?? 0, limit: 9 })
    expect([page.length, rest.length]).toEqual([5, 5])
    expect([...page, ...rest].map(it => it.seq)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10, 11])
  })

  test('every move notifies waiters once it is committed, and a delivery wakes its run', async () => {
    const { open, wakeups } = await fresh()
    const store = await open()
    const id = await addQueuedJob(store)
    expect(wakeups.filter(it => it === `jobs:${agentId}`)).toHaveLength(1)
    const [claim] = await store.claimRuns(60_000, 1)
    await store.releaseRun('run-1', claim?.lease ?? '', {
      state: 'awaiting-job',
      interruptId: 'i',
      answer: '',
      questions: undefined,
      proposal: undefined,
      jobId: id,
    })
    wakeups.length = 0
    await store.leaseJob(agentId)
    expect(wakeups).toEqual(['run:run-1'])
    expect(await store.claimRuns(60_000, 1)).toEqual([])
    const [last] = (await store.runEvents('run-1', 0, 100)).slice(-1)
    expect(last).toMatchObject({
      kind: 'job.leased',
      summary: 'scribe has picked up the job (delivery 1 of 3).',
      data: { job_id: id, from: 'queued', event: 'lease', to: 'leased', attempt: 1 },
    })
    wakeups.length = 0
    await store.moveJob(id, 'submit', { deliverable: 'An old silent pond' })
    expect(wakeups).toEqual(['run:run-1', 'runs'])
    expect(await store.claimRuns(60_000, 1)).toMatchObject([{ run: { id: 'run-1', jobId: id } }])
  })
})
