import { expect, test } from 'vitest'
import { type Address, nobody } from '../../../src/domain/hex.ts'
import type { RunEvent } from '../../../src/domain/runs/runEvent.ts'
import type { Run, Tables, Wakeups } from '../../../src/ports.ts'
import { pack } from '../../../src/store/engine/packed.ts'
import { openStore } from '../../../src/store/store.ts'
import { account, addQueuedJob, addRun, chainId, countUp, user } from '../rows.ts'
import { describeStores } from '../stores.ts'

const snapshot: Pick<Run, 'state' | 'interruptId' | 'answer' | 'questions' | 'proposal' | 'jobId'> = {
  state: 'awaiting-input',
  interruptId: 'i1',
  answer: 'Which talk?',
  questions: [{ field: 'talk', words: 'Which talk?', form: { type: 'string', description: 'The talk', maxLength: 9 } }],
  proposal: undefined,
  jobId: undefined,
}

const inOrder = async <T>(count: number, work: (at: number) => Promise<T>) => {
  const done: T[] = []
  for (const at of countUp(count)) done.push(await work(at))
  return done
}

describeStores('runs', fresh => {
  test('the events of a run are numbered 1 to n without a gap under concurrent writers', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addRun(one)
    const tell = (at: number) => {
      const key = at % 4 === 0 ? 'once' : undefined
      return [one, two][at % 2]?.addRunEvent('run-1', { kind: 'message', summary: `${at}`, data: { at }, ...(key && { key }) })
    }
    await Promise.all(countUp(100).map(tell))
    const events = await two.runEvents('run-1', 0, 1000)
    expect(events.map(it => it.seq)).toEqual(countUp(76).map(at => at + 1))
    expect(new Set(events.map(it => it.summary)).size).toBe(76)
    expect(await one.runEvents('run-1', 70, 2)).toMatchObject([{ seq: 71 }, { seq: 72 }])
    expect(await one.run('run-1')).toMatchObject({ lastSeq: 76 })
    await expect(one.addRunEvent('no-run', { kind: 'message', summary: '', data: {} })).rejects.toThrow(RangeError)
  })

  test('the events of a run that has reported its finished job are read as before, and a later event continues them once', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const jobId = await addQueuedJob(one)
    await one.addRunEvent('run-1', { kind: 'confirmed', summary: 'Yes', data: { deep: ['ä', null] }, key: 'confirmed' })
    await one.moveJob(jobId, 'expire')
    await one.moveJob(jobId, 'refund')
    await one.wakeRun('run-1')
    const [held] = await one.claimRuns(60_000, 1)
    const events = await one.runEvents('run-1', 0, 99)
    await one.releaseRun('run-1', held?.lease ?? '', { ...snapshot, state: 'completed', interruptId: undefined })
    const rows = async () => Number((await two.db.sql('select count(*) as n from run_event'))[0]?.n)
    expect(await rows()).toBe(0)
    expect(await two.runEvents('run-1', 0, 99)).toEqual(events)
    expect(await two.runEvents('run-1', 1, 2)).toEqual(events.slice(1, 3))
    expect(await two.runTail('run-1', 1, 2)).toEqual({ state: 'completed', events: events.slice(1, 3) })
    expect(await two.runTail('run-1', 99, 2)).toEqual({ state: 'completed', events: [] })
    expect([await two.countRunEvents('run-1', 'confirmed'), await two.countRunEvents('run-1', 'progress')]).toEqual([1, 0])

    const late = countUp(6).map(
      at => ({ kind: 'message', summary: 'Late', data: {}, key: at % 2 ? 'confirmed' : 'late' }) as const,
    )
    await Promise.all(late.map((it, at) => (at % 3 ? one : two).addRunEvent('run-1', it)))
    const all = await one.runEvents('run-1', 0, 99)
    expect(all).toEqual([...events, { ...all.at(-1), seq: events.length + 1, summary: 'Late' }])
    expect(await one.run('run-1')).toMatchObject({ lastSeq: all.length })
    expect(await rows()).toBe(all.length)
  })

  test('the last events of many runs, read at once, are ordered and within the limit of each', async () => {
    const store = await (await fresh()).open()
    const ids = countUp(300).map(at => `run-${at}`)
    for (const id of ids) await addRun(store, id)
    const add = (id: string, summary: string) => store.addRunEvent(id, { kind: 'understood', summary, data: { id } })
    for (const id of ids.slice(0, 20)) for (const nth of countUp(4)) await add(id, `${id} ${nth}`)
    const before = (await store.runTail('run-1', 0, 9))?.events.at(-1)?.seq ?? 0
    const asked = [...ids, 'no such run', 'run-1', 'run-1']
    const found = await Promise.all(asked.map((id, at) => store.runTail(id, at === 302 ? before : 0, at === 301 ? 2 : 9)))
    expect(found.slice(0, 300).map(it => it?.state)).toEqual(ids.map(() => 'working'))
    for (const [at, id] of ids.entries()) {
      const events = await store.runEvents(id, 0, 9)
      expect(found[at]?.events).toEqual(events)
      expect(events.filter(it => it.kind === 'understood')).toHaveLength(at < 20 ? 4 : 0)
    }
    expect(found[300]).toBeUndefined()
    expect(found[301]?.events.map(it => it.seq)).toEqual([1, 2])
    expect(found[302]).toEqual({ state: 'working', events: [] })
  })

  test('a commit hands over its events as the store reads them, and a rolled-back one is never handed over', async () => {
    const { place } = await fresh()
    const handed: (RunEvent[] | undefined)[] = []
    const notify: Wakeups['notify'] = (channel, events) => void (channel === 'run:run-1' && handed.push(events))
    const store = await openStore({ ...place, clock: { now: () => Date.now() }, wakeups: { notify } })
    try {
      await addRun(store)
      const add = (tables: Pick<Tables, 'addRunEvent'>, summary: string, key?: string) =>
        tables.addRunEvent('run-1', { kind: 'message', summary, data: { deep: [1e21, null, 'a\0\u2028'] }, ...(key && { key }) })
      await add(store, 'a\0b \ud800 ä 🦆', 'once')
      await add(store, 'again', 'once')
      const undone = store.atomically(async tables => {
        await add(tables, 'never')
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      await store.atomically(async tables => {
        for (const at of countUp(3)) await add(tables, `${at}`)
      })
      await Promise.all(countUp(20).map(at => add(store, `together ${at}`)))
      const events = await store.runEvents('run-1', 0, 99)
      expect(handed.flatMap(it => it ?? []).toSorted((one, other) => one.seq - other.seq)).toEqual(events)
      expect(handed.slice(0, 2)).toEqual([events.slice(0, 1), events.slice(1, 4)])
      handed.length = 0
      await add(store, 'x'.repeat(5_000))
      await store.atomically(async tables => {
        await add(tables, 'with a change of the run')
        await tables.setNextTasks('run-1', [])
      })
      expect(handed).toEqual([undefined, undefined])
    } finally {
      await store.close()
    }
  })

  test('a count of the open runs of a user locks them until the new one is added', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addRun(one, 'run-first')
    const add = (at: number) =>
      (at % 2 ? one : two).atomically(async tables => {
        if ((await tables.lockOpenRunCount(user, 60_000)) < 4) await addRun(tables, `run-${at}`)
      })
    await Promise.all(countUp(12).map(add))
    expect(await one.runs({ user, limit: 100, offset: 0 })).toHaveLength(4)
    expect(await two.lockOpenRunCount(user, 60_000)).toBe(4)
    const [{ run, lease } = { run: undefined, lease: '' }] = await one.claimRuns(60_000, 1)
    await one.releaseRun(run?.id ?? '', lease, snapshot)
    expect([await one.lockOpenRunCount(user, 60_000), await one.lockOpenRunCount(user, -1_000)]).toEqual([4, 3])
  })

  test('a woken run is taken by one process', async () => {
    const [one, two] = await (await fresh()).openRivals()
    for (const at of countUp(5)) await addRun(one, `run-${at}`)
    const claims = await Promise.all(countUp(12).map(at => (at % 2 ? one : two).claimRuns(30_000, 2)))
    expect(
      claims
        .flat()
        .map(it => it.run.id)
        .sort(),
    ).toEqual(countUp(5).map(at => `run-${at}`))
    expect(await one.claimRuns(60_000, 10)).toEqual([])
  })

  test('runs with a job are taken first, then users in turn, then a few of those without a token', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const add = (id: string, of: Address) => one.addRun({ id, conversationId: id, user: of, chainId, task: 'Take notes' })
    for (const at of countUp(6)) await add(`nobody-${at}`, nobody)
    for (const at of countUp(3)) await add(`greedy-${at}`, account(1))
    await add('modest-0', account(2))
    await addQueuedJob(one, 'hired-0')
    const takeNext = async (at: number) => (await (at % 2 ? one : two).claimRuns(60_000, 1)).map(it => it.run.id)
    const taken = (await inOrder(12, takeNext)).flat()
    expect(taken).toEqual(['hired-0', 'greedy-0', 'modest-0', 'greedy-1', 'greedy-2', ...countUp(4).map(at => `nobody-${at}`)])
    await one.releaseRun('nobody-0', '1', snapshot)
    expect(await takeNext(0)).toEqual(['nobody-4'])
  })

  test('runs in progress without a token are counted, in total and by network address', async () => {
    const store = await (await fresh()).open()
    for (const at of countUp(3)) {
      const id = `run-${at}`
      const source = at === 0 ? undefined : '192.0.2.1'
      await store.addRun({ id, conversationId: id, user: nobody, chainId, task: 'Take notes', source })
    }
    expect(await store.countWorkingRuns(nobody, '192.0.2.1')).toEqual({ ofAll: 3, ofSource: 2 })
    expect(await store.countWorkingRuns(nobody, undefined)).toEqual({ ofAll: 3, ofSource: 0 })
    for (const { run, lease } of await store.claimRuns(60_000, 3)) await store.releaseRun(run.id, lease, snapshot)
    expect(await store.countWorkingRuns(nobody, '192.0.2.1')).toEqual({ ofAll: 0, ofSource: 0 })
  })

  test('a wake during the work is noticed after it', async () => {
    const { open, wakeups } = await fresh()
    const store = await open()
    await addRun(store)
    const [claim] = await store.claimRuns(60_000, 1)
    await store.wakeRun('run-1')
    expect(await store.claimRuns(60_000, 1)).toEqual([])
    wakeups.length = 0
    expect(await store.releaseRun('run-1', claim?.lease ?? '', snapshot)).toBe(true)
    expect(wakeups).toEqual(['run:run-1', 'rest:run-1', 'runs'])
    const [again] = await store.claimRuns(60_000, 1)
    expect(again?.run).toMatchObject({ id: 'run-1', ...snapshot })
    expect(await store.releaseRun('run-1', again?.lease ?? '', snapshot)).toBe(true)
    expect(await store.claimRuns(60_000, 1)).toEqual([])
  })

  test('a run is claimed although an earlier answer to it cannot be read, and the reading of that answer names the fault', async () => {
    const store = await (await fresh()).open()
    await addRun(store)
    await store.keepRunInput('run-1', 'i0', { kind: 'answer', text: 'Old' })
    const kindOf = (kind: string) =>
      store.db.tx(sql => sql('update run_input set input = $1', [JSON.stringify({ kind, text: '' })]))
    await kindOf('of a newer release')
    const [claim] = await store.claimRuns(-1_000, 1)
    expect(claim?.run).toMatchObject({ id: 'run-1', inputs: undefined })
    await expect(store.runInput('run-1', 'i0')).rejects.toThrow('kind')
    await kindOf('answer')
    expect((await store.claimRuns(60_000, 1))[0]?.run.inputs?.get('i0')).toEqual({ kind: 'answer', text: '' })
  })

  test('a job that comes back while its run packs its events is told, and what follows wakes the run', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const jobId = await addQueuedJob(one)
    await one.moveJob(jobId, 'expire')
    await one.moveJob(jobId, 'refund')
    const isLocked = Promise.withResolvers<void>()
    const packed = one.db.tx(async sql => {
      await sql(`update run set events = $1, wake_at = null where id = 'run-1'`, [pack('[]')])
      isLocked.resolve()
      // Meanwhile the other process begins to wait for the run.
      for (const _ of countUp(100)) await sql('select id from run')
    })
    await isLocked.promise
    const back = two.moveJob(jobId, 'unrefund')
    await packed
    expect(await back).toMatchObject({ state: 'expired' })
    expect((await one.runEvents('run-1', 0, 99)).at(-1)).toMatchObject({ kind: 'job.retracted' })
    await one.moveJob(jobId, 'refund')
    expect(await two.claimRuns(60_000, 5)).toHaveLength(1)
  })

  test('an expired hold is taken over, and its old holder can write no more', async () => {
    const store = await (await fresh()).open()
    await addRun(store)
    const [dead] = await store.claimRuns(-1000, 1)
    const [next] = await store.claimRuns(60_000, 1)
    expect(next?.run.id).toBe('run-1')
    expect(await store.renewRunLease('run-1', dead?.lease ?? '', 60_000)).toBe(false)
    expect(await store.releaseRun('run-1', dead?.lease ?? '', snapshot)).toBe(false)
    expect(await store.renewRunLease('run-1', next?.lease ?? '', 60_000)).toBe(true)
    expect(await store.run('run-1')).toMatchObject({ state: 'working' })
  })

  test('the first answer to an interrupt is kept and wakes the run', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addRun(one)
    const [claim] = await one.claimRuns(60_000, 1)
    await one.releaseRun('run-1', claim?.lease ?? '', snapshot)
    const said = countUp(8).map(at => (at % 2 ? one : two).addRunInput('run-1', 'i1', { kind: 'answer', text: `${at}` }))
    const taken = (await Promise.all(said)).filter(it => it !== undefined)
    expect(taken).toHaveLength(1)
    expect(await two.runInput('run-1', 'i1')).toEqual(taken[0])
    expect(await two.claimRuns(60_000, 5)).toHaveLength(1)
  })

  test('of two proposals of one conversation the newest stays open, in whatever order they are stored', async () => {
    const [one, two] = await (await fresh()).openRivals()
    for (const at of countUp(6)) {
      const ids = [`a${at}`, `b${at}`]
      for (const id of ids) await one.addRun({ id, conversationId: `talk-${at}`, user, chainId, task: 'Notes' })
      const claims = await one.claimRuns(60_000, 2)
      const propose = ({ run, lease }: (typeof claims)[number], step: number) => {
        const store = (at + step) % 2 ? one : two
        return store.releaseRun(run.id, lease, { ...snapshot, state: 'awaiting-confirmation', questions: undefined })
      }
      const inOrderOf = at % 2 ? claims : claims.toReversed()
      expect(await Promise.all(inOrderOf.map(propose))).toEqual([true, true])
      const states = await Promise.all(ids.map(async id => (await two.run(id))?.state))
      expect(states).toEqual(['working', 'awaiting-confirmation'])
      expect(await two.runInput(`a${at}`, 'i1')).toMatchObject({ decision: 'replaced' })
      expect(await two.addRunInput(`a${at}`, 'i1', { kind: 'answer', text: 'yes' })).toBeUndefined()
      const [woken] = await one.claimRuns(60_000, 5)
      expect(woken?.run.id).toBe(`a${at}`)
      await one.releaseRun(`a${at}`, woken?.lease ?? '', { ...snapshot, state: 'completed', questions: undefined })
    }
  })

  test('a proposal that was answered before a newer one came stays answered', async () => {
    const store = await (await fresh()).open()
    for (const id of ['a', 'b']) await store.addRun({ id, conversationId: 'talk', user, chainId, task: 'Notes' })
    const [a, b] = await store.claimRuns(60_000, 2)
    const open = { ...snapshot, state: 'awaiting-confirmation' as const, questions: undefined }
    await store.releaseRun('a', a?.lease ?? '', open)
    const yes = { kind: 'decision' as const, decision: 'yes' as const, digest: '00000000', text: 'yes' }
    expect(await store.addRunInput('a', 'i1', yes)).toEqual(yes)
    await store.releaseRun('b', b?.lease ?? '', open)
    expect(await store.runInput('a', 'i1')).toEqual(yes)
    expect(await store.run('b')).toMatchObject({ state: 'awaiting-confirmation' })
  })

  test('a conversation shows only the messages and runs of its own user', async () => {
    const store = await (await fresh()).open()
    await addRun(store)
    await store.addMessage('talk-of-run-1', user, { role: 'user', content: 'Hello', runId: 'run-1' })
    await store.addMessage('talk-of-run-1', user, { role: 'agent', content: 'Which talk?', runId: undefined })
    await store.addMessage('talk-of-run-1', account(5), { role: 'user', content: 'Mine', runId: undefined })
    expect((await store.messages('talk-of-run-1', user)).map(it => it.content)).toEqual(['Hello', 'Which talk?'])
    expect(await store.newestRun('talk-of-run-1', user)).toMatchObject({ id: 'run-1' })
    expect(await store.newestRun('talk-of-run-1', account(5))).toBeUndefined()
    expect(await store.answerableRuns('talk-of-run-1', user)).toMatchObject({ newest: { id: 'run-1' }, waiting: undefined })
    const [claim] = await store.claimRuns(60_000, 1)
    await store.releaseRun('run-1', claim?.lease ?? '', snapshot)
    expect((await store.answerableRuns('talk-of-run-1', user)).waiting).toMatchObject({ id: 'run-1', answer: 'Which talk?' })
    expect(await store.answerableRuns('talk-of-run-1', account(5))).toEqual({ newest: undefined, waiting: undefined })
    expect((await store.runs({ user, limit: 5, offset: 0 })).map(it => it.id)).toEqual(['run-1'])
  })

  test('the name of a conversation stays with its newest message, and belongs to its user', async () => {
    const store = await (await fresh()).open()
    await addRun(store)
    await store.addMessage('c', user, { role: 'user', content: 'Hello', runId: 'run-1' })
    expect([await store.nameConversation('c', account(5), 'Theirs'), await store.nameConversation('d', user, 'None')]).toEqual([
      false,
      false,
    ])
    const title = async () => (await store.conversations(user, 9)).map(it => it.title)
    for (const name of ['First', 'Second']) {
      expect(await store.nameConversation('c', user, name)).toBe(true)
      await store.addMessage('c', user, { role: 'agent', content: `After ${name}`, runId: undefined })
      expect(await title()).toEqual([name])
    }
    await store.nameConversation('c', user, undefined)
    expect(await title()).toEqual(['Hello'])
  })

  test('text with characters that no database stores is kept readable', async () => {
    const store = await (await fresh()).open()
    await addRun(store)
    await store.addMessage('c', user, { role: 'user', content: 'a\0b “ü” 🙂', runId: undefined })
    await store.addRunEvent('run-1', { kind: 'message', summary: 'nul \0', data: { raw: 'a\0b' } })
    expect(await store.messages('c', user)).toMatchObject([{ content: 'a\uFFFDb “ü” 🙂' }])
    expect(await store.runEvents('run-1', 0, 9)).toMatchObject([{ summary: 'nul \uFFFD', data: { raw: 'a\0b' } }])
  })
})
