import { expect, test } from 'vitest'
import { unbook } from '../../../src/operations/ledger/bookings.ts'
import type { Posting } from '../../../src/ports.ts'
import { addPaidJobs, addRun, agentId, countUp, hash } from '../rows.ts'
import { describeStores } from '../stores.ts'

const big = 10n ** 30n
const posting = (key: string, amounts: bigint[]): Posting => ({
  key,
  chainId: 97,
  jobId: 'job-1',
  runId: 'run-1',
  txHash: hash(1),
  entries: amounts.map((amount, at) => ({ account: `account-${at}`, amount })),
})

describeStores('money', fresh => {
  test('a posting that does not balance is refused', async () => {
    const store = await (await fresh()).open()
    await expect(store.post(posting('a', [5n, -4n]))).rejects.toThrow(RangeError)
    await expect(store.atomically(tables => tables.post(posting('a', [1n])))).rejects.toThrow(RangeError)
    expect(await store.ledger({})).toEqual([])
  })

  test('a repeated posting is stored once, to the last digit', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const posts = countUp(20).map(at => (at % 2 ? one : two).post(posting('pay', [big, -big + 1n, -1n])))
    expect((await Promise.all(posts)).filter(Boolean)).toHaveLength(1)
    expect((await one.ledger({ runId: 'run-1' })).map(it => it.amount)).toEqual([big, -big + 1n, -1n])
    expect(await one.ledger({ account: 'account-1' })).toMatchObject([
      { key: 'pay', chainId: 97, jobId: 'job-1', txHash: hash(1) },
    ])
    expect(await one.ledger({ jobId: 'job-2' })).toEqual([])
  })

  test('earnings of an agent add up over any number of payments, by period, without orphaned payments', async () => {
    const store = await (await fresh()).open()
    const [early, late, day] = [70, 60, 86_400_000]
    const amounts = countUp(early + late).map(at => big + BigInt(at % 7))
    const backwards = [3, early + 4]
    await store.atomically(tables =>
      addPaidJobs(tables, amounts, {
        booked: async (job, at) => (backwards.includes(at) ? unbook(tables, job, { step: 'payout' }) : undefined),
      }),
    )
    const now = Date.now()
    await store.db.tx(async sql => {
      await sql('update posting set at = $1', [now])
      const upTo = 'seq <= (select max(seq) from posting where job_id = $2)'
      await sql(`update posting set at = $1 where ${upTo}`, [now - day, `job-of-paid-${early - 1}`])
      await sql('update posting set at = $1 where job_id = $2', [now - 3 * day, 'job-of-paid-0'])
    })
    const sum = (from: number, to: number) =>
      amounts.reduce((total, it, at) => (at < from || at >= to || backwards.includes(at) ? total : total + it), 0n)
    const starts = [now - 2 * day, now - day, now - day + 1, now]
    expect(await store.payoutSums(agentId, starts)).toEqual([0n, sum(1, early), 0n, sum(early, early + late)])
    expect(await store.payoutSums(agentId, [0])).toEqual([sum(0, early + late)])
    expect(await store.payoutSums(`${agentId}9`, [0, now])).toEqual([0n, 0n])
    expect(await store.payouts(agentId, 100)).toHaveLength(100)
  })

  test('a key is claimed once, and its first answer is kept', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const claims = await Promise.all(countUp(20).map(at => (at % 2 ? one : two).claimKey('user', 'k', `hash-${at}`)))
    expect(claims.filter(it => it === 'claimed')).toHaveLength(1)
    const first = `hash-${claims.indexOf('claimed')}`
    expect(claims.filter(it => it !== 'claimed')).toEqual(countUp(19).map(() => ({ requestHash: first, answer: undefined })))
    await one.answerKey('user', 'k', { run: 'r' })
    await two.answerKey('user', 'k', 'another')
    expect(await two.claimKey('user', 'k', 'x')).toEqual({ requestHash: first, answer: { run: 'r' } })
    expect(await two.claimKey('stranger', 'k', 'x')).toBe('claimed')
  })

  test('a unit of work that throws stores nothing, and the others in the same commit are stored', async () => {
    const { open, wakeups } = await fresh()
    const store = await open()
    const works = countUp(9).map(at =>
      store.atomically(async tables => {
        await addRun(tables, `run-${at}`)
        await tables.addRunEvent(`run-${at}`, { kind: 'message', summary: 'one', data: {} })
        if (at % 3 === 1) throw new Error(`no ${at}`)
        if (at % 3 === 2) await addRun(tables, `run-${at}`)
        return at
      }),
    )
    const ends = await Promise.allSettled(works)
    expect(ends.map(it => it.status === 'fulfilled')).toEqual(countUp(9).map(at => at % 3 === 0))
    for (const at of countUp(9)) expect((await store.run(`run-${at}`)) !== undefined).toBe(at % 3 === 0)
    expect(wakeups.filter(it => it.startsWith('run:')).toSorted()).toEqual(['run:run-0', 'run:run-3', 'run:run-6'])
  })

  test('a unit of work reads its own writes, and no other reader does before its commit', async () => {
    const store = await (await fresh()).open()
    await store.atomically(async tables => {
      await addRun(tables)
      expect(await tables.run('run-1')).toMatchObject({ task: 'Take notes of my talk' })
      expect(await store.run('run-1')).toBeUndefined()
    })
    expect(await store.run('run-1')).toBeDefined()
  })

  test('a transaction has every table of the store, also when they are copied', async () => {
    const { atomically, close: _close, confirmsWrites: _confirms, db: _db, ...all } = await (await fresh()).open()
    await atomically(async tables => {
      const copy = { ...tables, addRun: tables.addRun }
      expect(Object.keys(copy).toSorted()).toEqual(Object.keys(all).toSorted())
      await addRun(copy)
      expect(await copy.run('run-1')).toBeDefined()
    })
    expect(await all.run('run-1')).toBeDefined()
  })

  test('a nested transaction, or a statement after its end, is refused instead of waiting forever', async () => {
    const store = await (await fresh()).open()
    await expect(store.atomically(() => store.addOutbox('t', 'k', null))).rejects.toThrow('inside a transaction')
    const escaped = await store.atomically(async tables => () => tables.addOutbox('t', 'k', null))
    await expect(escaped()).rejects.toThrow('after the end')
    expect(await store.claimOutbox('t', 1000, 5)).toEqual([])
  })

  test('transactions that lock in opposite order both succeed', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addRun(one, 'run-a')
    await addRun(one, 'run-b')
    const event = { kind: 'message', summary: 'm', data: {} } as const
    const tell = (at: number) =>
      (at % 2 ? one : two).atomically(async tables => {
        await tables.addRunEvent(at % 2 ? 'run-a' : 'run-b', event)
        await tables.addRunEvent(at % 2 ? 'run-b' : 'run-a', event)
      })
    await Promise.all(countUp(4).map(tell))
    expect([await one.run('run-a'), await one.run('run-b')]).toMatchObject([{ lastSeq: 4 }, { lastSeq: 4 }])
  })
})
