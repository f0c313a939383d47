import { expect, onTestFinished, test, vi } from 'vitest'
import { spentBesides } from '../../../src/domain/money/spending.ts'
import { account, chainId, countUp, hash, inFlight, minedAt, newIntent, sender, signed } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const seqOf = async (store: OpenStore, key: string) => (await store.intent(key))?.seq ?? -1

/** Signs and mines the only intent that may be sent. */
const send = async (store: OpenStore, key: string, { nonce, success }: { nonce: number; success: boolean }) => {
  const seq = await seqOf(store, key)
  expect(await store.recordSigned(seq, signed(100 + nonce, nonce))).toBe(true)
  expect(await store.recordMined({ seq, hash: hash(100 + nonce), mined: minedAt(nonce + 1), success })).toBe(true)
}

describeStores('effects', fresh => {
  test('the same key twice is one intent, and the first one is kept', async () => {
    const { openRivals, wakeups } = await fresh()
    const [one, two] = await openRivals()
    await Promise.all(
      countUp(20).map(at => (at % 2 ? one : two).addIntents([{ ...newIntent('job:1:hire'), sender: account(at) }])),
    )
    expect(new Set(wakeups)).toEqual(new Set(['intents']))
    const first = await one.intent('job:1:hire')
    await one.addIntents([{ ...newIntent('job:1:hire'), chainId: 56 }])
    expect(await one.intent('job:1:hire')).toEqual(first)
    expect(await one.activeSenders(chainId)).toMatchObject([
      { sender: first?.sender, flights: [], waiting: [{ key: first?.key }] },
    ])
    expect(await one.activeSenders(56)).toEqual([])
    expect(first).toMatchObject({
      ...newIntent('job:1:hire'),
      sender: first?.sender,
      state: 'waiting',
      nonce: undefined,
      hash: undefined,
    })
  })

  test('of two signers of one nonce one wins, and so does one of two signers of one intent', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await one.addIntents([newIntent('a'), newIntent('b')])
    const [a, b] = [await seqOf(one, 'a'), await seqOf(one, 'b')]
    expect(await one.nextNonce(chainId, sender)).toBeUndefined()
    const sameNonce = await Promise.all([one.recordSigned(a, signed(1, 5)), two.recordSigned(b, signed(2, 5))])
    expect(sameNonce.filter(Boolean)).toHaveLength(1)
    const waiting = sameNonce[0] ? b : a
    const sameIntent = await Promise.all([one.recordSigned(waiting, signed(3, 6)), two.recordSigned(waiting, signed(4, 6))])
    expect(sameIntent.filter(Boolean)).toHaveLength(1)
    expect(await two.nextNonce(chainId, sender)).toBe(7)
    expect((await inFlight(one, chainId, sender)).map(it => [it.intent.nonce, it.transactions.length])).toEqual([
      [5, 1],
      [6, 1],
    ])
  })

  test('a nonce other than the next one is refused and stores nothing', async () => {
    const store = await (await fresh()).open()
    await store.addIntents([newIntent('a'), newIntent('b')])
    expect(await store.recordSigned(await seqOf(store, 'a'), signed(1, 5))).toBe(true)
    for (const nonce of [4, 5, 7]) expect(await store.recordSigned(await seqOf(store, 'b'), signed(2, nonce))).toBe(false)
    expect(await store.intent('b')).toMatchObject({ state: 'waiting', nonce: undefined, hash: undefined })
    expect(await store.journal(chainId)).toHaveLength(1)
    expect(await store.nextNonce(chainId, sender)).toBe(6)
  })

  test('an intent waits for its predecessor', async () => {
    const store = await (await fresh()).open()
    await store.addIntents([newIntent('submit'), newIntent('complete', 'submit'), newIntent('other')])
    const sendable = async () => (await store.sendable(chainId, sender, 5)).waiting.map(it => it.key)
    expect(await sendable()).toEqual(['submit', 'other'])
    await store.recordSigned(await seqOf(store, 'submit'), signed(1, 0))
    expect(await sendable()).toEqual(['other'])
    expect(await store.recordMined({ seq: await seqOf(store, 'submit'), hash: hash(1), mined: minedAt(9), success: true })).toBe(
      true,
    )
    expect(await sendable()).toEqual(['complete', 'other'])
    await expect(store.addIntents([newIntent('lost', 'never-added')])).rejects.toThrow(RangeError)
  })

  test('an intent fails with its predecessor, whenever it was added', async () => {
    const { open, wakeups } = await fresh()
    const store = await open()
    await store.addIntents([newIntent('a'), newIntent('b', 'a'), newIntent('c', 'b')])
    wakeups.length = 0
    await send(store, 'a', { nonce: 0, success: false })
    expect(wakeups.toSorted()).toEqual(['intent:a', 'intent:b', 'intent:c'])
    await store.addIntents([newIntent('d', 'c')])
    for (const key of ['a', 'b', 'c', 'd']) expect(await store.intent(key)).toMatchObject({ state: 'reverted' })
    expect(await store.activeSenders(chainId)).toEqual([])
  })

  test('an intent added while its predecessor fails, fails as well', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const pairs = countUp(15)
    await one.addIntents(pairs.map(at => newIntent(`a${at}`)))
    const seqs = await Promise.all(pairs.map(at => seqOf(one, `a${at}`)))
    for (const [at, seq] of seqs.entries()) await one.recordSigned(seq, signed(at, at))
    await Promise.all(
      seqs.flatMap((seq, at) => [
        one.addIntents([newIntent(`b${at}`, `a${at}`)]),
        two.recordMined({ seq, hash: hash(at), mined: minedAt(at), success: false }),
      ]),
    )
    for (const at of pairs) expect(await one.intent(`b${at}`)).toMatchObject({ state: 'reverted' })
  })

  test('the position of a mined transaction is written once', async () => {
    const store = await (await fresh()).open()
    await store.addIntents([newIntent('a')])
    const seq = await seqOf(store, 'a')
    expect(await store.recordMined({ seq, hash: hash(1), mined: minedAt(1), success: true })).toBe(false)
    await store.recordSigned(seq, signed(1, 0))
    expect(await store.recordMined({ seq, hash: hash(99), mined: minedAt(1), success: true })).toBe(false)
    expect(await store.recordMined({ seq, hash: hash(1), mined: minedAt(1), success: true })).toBe(true)
    expect(await store.recordMined({ seq, hash: hash(1), mined: minedAt(2), success: false })).toBe(false)
    expect(await store.intentByHash(chainId, hash(1))).toMatchObject({ key: 'a', state: 'confirmed', hash: hash(1) })
    expect(await store.intentByHash(56, hash(1))).toBeUndefined()
    expect(await inFlight(store, chainId, sender)).toEqual([])
  })

  test('the journal lists mined transactions in their order, then unmined ones', async () => {
    const store = await (await fresh()).open()
    const mined: [number, number][] = [
      [7, 1],
      [7, 0],
      [3, 0],
    ]
    await store.addIntents(countUp(4).map(at => newIntent(`i${at}`)))
    for (const at of countUp(4)) await store.recordSigned(await seqOf(store, `i${at}`), signed(at, at))
    for (const [at, [block, index]] of mined.entries())
      await store.recordMined({ seq: await seqOf(store, `i${at}`), hash: hash(at), mined: minedAt(block, index), success: true })
    expect((await store.journal(chainId)).map(it => [it.nonce, it.mined])).toEqual([
      [2, minedAt(3, 0)],
      [1, minedAt(7, 0)],
      [0, minedAt(7, 1)],
      [3, undefined],
    ])
  })

  test('one process at a time sends for a wallet, and a process that lost its hold can store nothing for it', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await one.addIntents([newIntent('a'), newIntent('b')])
    expect(await one.leaseSender(chainId, sender, 60_000)).toEqual({ note: '', isTaken: true })
    if (one === two) return
    expect(await two.leaseSender(chainId, sender, 60_000)).toBeUndefined()
    expect(await two.leaseSender(56, sender, 60_000)).toBeDefined()
    expect(await two.recordSigned(await seqOf(two, 'a'), signed(1, 0))).toBe(false)
    expect(await one.recordSigned(await seqOf(one, 'a'), signed(1, 0))).toBe(true)
    expect(await two.recordReplacement(await seqOf(two, 'a'), signed(2, 0))).toBe(false)
    await one.close()
    expect(await two.leaseSender(chainId, sender, 60_000)).toBeDefined()
    expect(await two.recordSigned(await seqOf(two, 'b'), signed(3, 1))).toBe(true)
  })

  test('a hold is taken at first and after its end, and only renewed in between', async () => {
    const store = await (await fresh()).open()
    const start = performance.now()
    const now = vi.spyOn(performance, 'now')
    onTestFinished(() => now.mockRestore())
    const leaseAfter = async (ms: number) => {
      now.mockReturnValue(start + ms)
      return Boolean((await store.leaseSender(chainId, sender, 60_000))?.isTaken)
    }
    expect(await leaseAfter(0)).toBe(true)
    expect(await leaseAfter(40_000)).toBe(false)
    expect(await leaseAfter(90_000)).toBe(false)
    expect(await leaseAfter(151_000)).toBe(true)
  })

  test('an expired hold goes to the next process that asks', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const holds = await Promise.all(countUp(10).map(at => (at % 2 ? one : two).leaseSender(chainId, sender, -1_000)))
    expect(holds.every(Boolean)).toBe(true)
    const kept = await Promise.all([one.leaseSender(56, sender, 60_000), two.leaseSender(56, sender, 60_000)])
    expect(kept.filter(Boolean)).toHaveLength(one === two ? 2 : 1)
  })

  test('a paused wallet keeps its reason until it is resumed', async () => {
    const store = await (await fresh()).open()
    await store.leaseSender(chainId, sender, 60_000)
    await store.noteSender(chainId, sender, 'no coin')
    await store.noteSender(56, account(7), 'stuck')
    expect(await store.senderNotes(chainId)).toEqual([{ sender, note: 'no coin' }])
    expect(await store.leaseSender(chainId, sender, 60_000)).toMatchObject({ note: 'no coin' })
    await store.noteSender(chainId, sender, '')
    expect(await store.senderNotes(chainId)).toEqual([])
    expect(await store.senderNotes(56)).toEqual([{ sender: account(7), note: 'stuck' }])
  })

  test('all hashes of a nonce are kept, and any of them may be mined', async () => {
    const store = await (await fresh()).open()
    await store.addIntents([newIntent('a')])
    const seq = await seqOf(store, 'a')
    expect(await store.recordReplacement(seq, signed(2, 0))).toBe(false)
    await store.recordSigned(seq, signed(1, 0))
    expect(await store.recordReplacement(seq, signed(2, 7))).toBe(false)
    expect(await store.recordReplacement(seq, signed(2, 0))).toBe(true)
    expect((await inFlight(store, chainId, sender)).map(it => it.transactions.map(({ hash: of }) => of).sort())).toEqual([
      [hash(1), hash(2)],
    ])
    expect(await store.transactionAt(chainId, sender, 0)).toMatchObject({ nonce: 0 })
    expect(await store.recordMined({ seq, hash: hash(1), mined: minedAt(3), success: true })).toBe(true)
    expect(await store.recordReplacement(seq, signed(3, 0))).toBe(false)
    expect(await store.intent('a')).toMatchObject({ state: 'confirmed', hash: hash(1) })
  })

  test('an intent whose nonce was used elsewhere waits again, and its old bytes are never sent or replayed', async () => {
    const store = await (await fresh()).open()
    await store.addIntents([newIntent('a')])
    const seq = await seqOf(store, 'a')
    await store.recordSigned(seq, signed(1, 0))
    expect(await store.reopenIntent(seq, 4)).toBe(false)
    expect(await store.reopenIntent(seq, 0)).toBe(true)
    expect(await store.intent('a')).toMatchObject({ state: 'waiting', nonce: undefined, hash: undefined })
    expect([await store.journal(chainId), await store.transactionAt(chainId, sender, 0)]).toEqual([[], undefined])
    await store.raiseNonce(chainId, sender, 3)
    await store.raiseNonce(chainId, sender, 2)
    expect(await store.nextNonce(chainId, sender)).toBe(3)
    expect(await store.recordSigned(seq, signed(2, 3))).toBe(true)
    expect((await inFlight(store, chainId, sender)).map(it => it.transactions.map(({ hash: of }) => of))).toEqual([[hash(2)]])
  })

  test('a missing nonce is filled once, and a nonce that is used or still to come is not', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await one.addIntents(countUp(4).map(at => newIntent(`i${at}`)))
    const seqs = await Promise.all(countUp(4).map(at => seqOf(one, `i${at}`)))
    const [a = 0, b = 0, c = 0, d = 0] = seqs
    await one.recordSigned(a, signed(1, 0))
    await one.raiseNonce(chainId, sender, 2)
    for (const nonce of [0, 2, 3]) expect(await one.recordFilling(b, signed(2, nonce))).toBe(false)
    const filled = await Promise.all([one.recordFilling(b, signed(3, 1)), two.recordFilling(c, signed(4, 1))])
    expect(filled.filter(Boolean)).toHaveLength(1)
    expect(await one.recordSigned(d, signed(5, 2))).toBe(true)
  })

  test('a doubt is counted once for each head, and giving up an intent also gives up its dependants', async () => {
    const store = await (await fresh()).open()
    await store.addIntents([newIntent('a'), newIntent('b', 'a')])
    const seq = await seqOf(store, 'a')
    const staleHeadMs = 60_000
    const counts = []
    for (const head of [5n, 5n, 4n, 6n, 6n, 9n]) counts.push(await store.countFailure(seq, { head, staleHeadMs }))
    expect(counts).toEqual([1, 1, 1, 2, 2, 3])
    expect(await store.countFailure(seq, { head: 9n, staleHeadMs: -1 })).toBe(4)
    expect(await store.hasEarlier(chainId, sender, await seqOf(store, 'b'))).toBe(true)
    expect(await store.giveUp(seq, 'no such job')).toBe(true)
    expect(await store.giveUp(seq, 'again')).toBe(false)
    expect(await store.intent('a')).toMatchObject({ state: 'reverted', reason: 'no such job' })
    expect(await store.intent('b')).toMatchObject({ state: 'reverted', reason: '' })
    expect(await store.hasEarlier(chainId, sender, seq + 10)).toBe(false)
  })

  test('the daily commitments of wallets are summed under one lock, each run once', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const wallet = account(0xc11)
    await one.addWallet({ address: wallet, role: 'user', owner: 'u', sealedKey: 'sealed' })
    // All were read before the first of them.
    const seen = await one.spending({ wallet, chainId })
    const sign = (store: OpenStore, runId: string | undefined, amount: bigint, over = {}) =>
      store.recordSignature(
        {
          ...{ wallet, role: 'user', chainId, kind: 'transaction', contract: account(5), selector: '0xabcdef01', amount: 0n },
          ...{ digest: hash(1), reference: runId === undefined ? undefined : { runId, digest: 'd', amount } },
          ...over,
        },
        { maxPerDay: 100n, seen },
      )
    const asked = await Promise.all(countUp(10).map(at => sign(at % 2 ? one : two, `run-${at}`, 40n)))
    expect(asked.filter(Boolean)).toHaveLength(2)
    const rows = await one.signatures({ wallet, limit: 9 })
    const again = rows[0]?.reference?.runId ?? ''
    expect(await sign(one, again, 40n)).toBe(true)
    expect(await sign(one, again, 61n)).toBe(false)
    expect(await sign(one, undefined, 0n)).toBe(true)
    expect(await sign(one, 'elsewhere', 100n, { chainId: 56 })).toBe(true)
    expect(spentBesides(await two.spending({ wallet, chainId }), again)).toBe(40n)
    expect(await one.signatures({ wallet: account(0xdead), limit: 9 })).toEqual([])
    expect(await one.signatures({ limit: 2 })).toHaveLength(2)
  })

  test('the cursor of a chain is its last stored value', async () => {
    const store = await (await fresh()).open()
    expect(await store.cursor(97)).toBeUndefined()
    await store.setCursor(97, { number: 5n, hash: hash(5) })
    await store.setCursor(97, { number: 4n, hash: hash(4) })
    expect(await store.cursor(97)).toEqual({ number: 4n, hash: hash(4) })
  })

  test('an outbox row is added once, taken by one worker, returned until it is done, and not kept afterwards', async () => {
    const [one, two] = await (await fresh()).openRivals()
    for (const at of countUp(6)) await one.addOutbox('push', `k${at % 3}`, { at })
    const claims = await Promise.all(countUp(6).map(at => (at % 2 ? one : two).claimOutbox('push', -1000, 1)))
    expect(claims.flat().length).toBeGreaterThan(0)
    const rows = await one.claimOutbox('push', 60_000, 9)
    expect(rows.map(it => [it.key, it.payload])).toEqual(countUp(3).map(at => [`k${at}`, { at }]))
    expect(await two.claimOutbox('push', 60_000, 9)).toEqual([])
    await one.doneOutbox('push', ['k0', 'k2'])
    expect(await one.claimOutbox('push', 60_000, 9)).toEqual([])
    expect(await one.claimOutbox('mail', 60_000, 9)).toEqual([])
    expect(await one.db.sql('select key from outbox')).toMatchObject([{ key: 'k1' }])
  })
})
