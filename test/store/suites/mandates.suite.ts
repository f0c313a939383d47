import { expect, test } from 'vitest'
import { limits as serviceLimits } from '../../../src/domain/limits.ts'
import type { Tables } from '../../../src/ports.ts'
import { newMandate, toTake } from '../mandateRows.ts'
import { account, addRun, countUp, newJob, user } from '../rows.ts'
import type { OpenStore } from '../stores.ts'
import { describeStores } from '../stores.ts'

const limits = { maxPerPeriod: 10, maxPerJob: 4, askAbove: 3 }
const { reservedMs } = serviceLimits

const openUnder = (store: OpenStore, runId: string, mandateId = 'm') =>
  store.atomically(async (tables: Tables) => {
    if (!(await tables.lockDrawing(toTake({ mandateId, runId })))) return false
    return (await tables.addJob({ ...newJob(runId), mandateId })) !== undefined
  })

describeStores('mandates', fresh => {
  test('concurrent hires, in two processes, together draw no more than the limit of the period', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await one.addMandate(newMandate({ limits }))
    for (const at of countUp(12)) await addRun(one, `run-${at}`)
    const drawn = await Promise.all(
      countUp(12).map(at => (at % 2 ? one : two).drawOnMandate(toTake({ runId: `run-${at}`, amount: 3 }))),
    )
    expect(drawn.filter(it => it.isCovered)).toHaveLength(3)
    expect(await one.mandates({ user, limit: 9 })).toMatchObject([{ id: 'm', used: 9n }])
  })

  test('a count of the mandates of a user locks them until the new one is added', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await one.addMandate(newMandate({ id: 'first', limits }))
    const add = (at: number) =>
      (at % 2 ? one : two).atomically(async tables => {
        if ((await tables.lockMandateCount(user, 97)) < 4) await tables.addMandate(newMandate({ id: `m-${at}`, limits }))
      })
    await Promise.all(countUp(12).map(add))
    expect(await two.mandates({ user, limit: 99 })).toHaveLength(4)
  })

  test('a valid mandate is found behind any number of revoked ones', async () => {
    const store = await (await fresh()).open()
    await store.addMandate(newMandate({ limits }))
    for (const at of countUp(3)) {
      await store.addMandate(newMandate({ id: `m-${at}`, limits }))
      await store.revokeMandate(`m-${at}`, user)
    }
    expect(await store.mandates({ user, isLive: true, limit: 1 })).toMatchObject([{ id: 'm' }])
    expect(await store.lockMandateCount(user, 97)).toBe(1)
  })

  test('a hire concurrent with a revocation is opened before it or not at all, and signed for only when it was opened', async () => {
    const [one, two] = await (await fresh()).openRivals()
    let opened = 0
    for (const round of countUp(10)) {
      const id = `m-${round}`
      await one.addMandate(newMandate({ id, limits }))
      const runs = countUp(3).map(at => `run-${round}-${at}`)
      for (const runId of runs) {
        await addRun(one, runId)
        await one.drawOnMandate(toTake({ mandateId: id, runId, amount: 3 }))
      }
      const [isOpen] = await Promise.all([Promise.all(runs.map(it => openUnder(two, it, id))), one.revokeMandate(id, user)])
      opened += isOpen.filter(Boolean).length
      const yes = await Promise.all(runs.map(it => one.mandateYes(it, 'terms')))
      expect(yes).toEqual(isOpen.map(it => (it ? 3n : undefined)))
      expect((await one.mandates({ user, limit: 99 })).find(it => it.id === id)?.used).toBe(
        BigInt(3 * isOpen.filter(Boolean).length),
      )
    }
    expect(opened).toBeLessThanOrEqual(30)
  })

  test('a run draws once: the same terms again draw nothing more, and other terms draw their own amount', async () => {
    const store = await (await fresh()).open()
    await store.addMandate(newMandate({ limits }))
    await addRun(store)
    await store.drawOnMandate(toTake({ amount: 3 }))
    expect(await store.drawOnMandate(toTake({ amount: 3 }))).toEqual({ isCovered: true, left: 7n })
    expect(await store.drawOnMandate({ ...toTake({ amount: 2 }), digest: 'others' })).toEqual({ isCovered: true, left: 8n })
    expect([await store.mandateYes('run-1', 'terms'), await store.mandateYes('run-1', 'others')]).toEqual([undefined, 2n])
    expect(await openUnder(store, 'run-1')).toBe(false)
  })

  test('a job is opened only under the mandate that its run drew on, also when two mandates cover the same terms', async () => {
    const store = await (await fresh()).open()
    for (const id of ['slow', 'fast']) await store.addMandate(newMandate({ id, limits }))
    await addRun(store)
    await store.drawOnMandate(toTake({ mandateId: 'slow', amount: 3 }))
    await store.drawOnMandate(toTake({ mandateId: 'fast', amount: 3 }))
    expect(await openUnder(store, 'run-1', 'slow')).toBe(false)
    expect(await openUnder(store, 'run-1', 'fast')).toBe(true)
    expect(await store.mandates({ user, limit: 2 })).toMatchObject([{ used: 3n }, { used: 0n }])
    expect(await store.mandateYes('run-1', 'terms')).toBe(3n)
  })

  test('while a run opens its job under one mandate, it does not draw on another', async () => {
    const [one, two] = await (await fresh()).openRivals()
    for (const id of ['slow', 'fast']) await one.addMandate(newMandate({ id, limits: { ...limits, maxPerPeriod: 99 } }))
    for (const at of countUp(20)) {
      const runId = `run-${at}`
      await addRun(one, runId)
      await one.drawOnMandate(toTake({ mandateId: 'slow', runId }))
      const [isOpen, drawn] = await Promise.all([
        openUnder(one, runId, 'slow'),
        two.drawOnMandate(toTake({ mandateId: 'fast', runId })),
      ])
      expect(drawn.isCovered).toBe(!isOpen)
      expect(await one.mandateYes(runId, 'terms')).toBe(1n)
    }
  })

  test('a mandate covers only the runs of its user, on its chain, for the drawn terms and up to its limit', async () => {
    const store = await (await fresh()).open()
    await store.addMandate(newMandate({ id: 'foreign', user: account(7), limits }))
    await store.addMandate(newMandate({ id: 'elsewhere', chainId: 56, limits }))
    await store.addMandate(newMandate({ id: 'm', limits }))
    await addRun(store)
    for (const mandateId of ['foreign', 'elsewhere', 'none'])
      expect(await store.drawOnMandate(toTake({ mandateId }))).toMatchObject({ isCovered: false })
    expect(await store.drawOnMandate(toTake({ amount: 4 }))).toEqual({ isCovered: false, why: '4 is above 3' })
    expect(await store.mandateYes('run-1', 'terms')).toBeUndefined()
    await store.drawOnMandate(toTake({ amount: 2 }))
    expect([await store.mandateYes('run-1', 'terms'), await store.mandateYes('run-1', 'else')]).toEqual([2n, undefined])
    expect(await store.revokeMandate('foreign', user)).toBeUndefined()
  })

  test('an orphaned refund counts as spent again, in addition to later draws', async () => {
    const store = await (await fresh()).open()
    await store.addMandate(newMandate({ limits }))
    const hire = async (runId: string) => {
      await addRun(store, runId)
      const { isCovered } = await store.drawOnMandate(toTake({ runId, amount: 3 }))
      return isCovered && openUnder(store, runId)
    }
    const become = (runId: string, state: string) =>
      store.db.tx(sql => sql('update job set state = $2 where run_id = $1', [runId, state]))
    const used = async () => (await store.mandates({ user, limit: 1 }))[0]?.used
    for (const runId of ['one', 'two', 'three']) expect(await hire(runId)).toBe(true)
    await become('one', 'refunded')
    expect([await used(), await hire('four'), await used()]).toEqual([6n, true, 9n])
    await become('one', 'expired')
    expect([await used(), await hire('five')]).toEqual([12n, false])
    await become('one', 'refunded')
    expect(await used()).toBe(9n)
  })

  test('a job opened before its mandate ended is signed for, whatever the clock says', async () => {
    const store = await (await fresh()).open()
    await store.addMandate(newMandate({ limits }))
    await addRun(store)
    await store.drawOnMandate(toTake({ amount: 3 }))
    await openUnder(store, 'run-1')
    await store.db.tx(sql => sql('update job set created_at = created_at + 3600000', []))
    await store.revokeMandate('m', user)
    expect(await store.mandateYes('run-1', 'terms')).toBe(3n)
  })

  test('the draw of a run that hired nothing, or that its user approved, no longer counts', async () => {
    const store = await (await fresh()).open()
    await store.addMandate(newMandate({ limits }))
    for (const runId of ['gone', 'own']) {
      await addRun(store, runId)
      await store.drawOnMandate(toTake({ runId, amount: 3 }))
    }
    await store.addJob(newJob('own'))
    await store.db.tx(sql => sql('update mandate_drawing set at = at - $1', [reservedMs]))
    expect(await store.mandates({ user, limit: 1 })).toMatchObject([{ used: 0n }])
    expect(await store.mandateYes('own', 'terms')).toBeUndefined()
    await addRun(store)
    await store.drawOnMandate(toTake({ amount: 3 }))
    expect(await openUnder(store, 'gone')).toBe(false)
  })

  test('the mandate of an opened job stays valid for it, even when the run is advanced after the mandate ended', async () => {
    const store = await (await fresh()).open()
    await store.addMandate(newMandate({ limits }))
    await addRun(store)
    await store.drawOnMandate(toTake({ amount: 3 }))
    expect(await openUnder(store, 'run-1')).toBe(true)
    await store.revokeMandate('m', user)
    expect(await store.drawOnMandate(toTake({ amount: 3 }))).toMatchObject({ isCovered: false })
    expect(await openUnder(store, 'run-1')).toBe(false)
    expect(await store.mandateYes('run-1', 'terms')).toBe(3n)
  })
})
