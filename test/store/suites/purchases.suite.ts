import { expect, test } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { purchasesOf } from '../../../src/features/x402Buying/ports.ts'
import { planOf, step } from '../../plans/planRows.ts'
import { addWallet, consent, newPurchase, reply, wallet } from '../purchaseRows.ts'
import { account, addRun, chainId, countUp, hash, user } from '../rows.ts'
import { describeStores } from '../stores.ts'

describeStores('purchases', fresh => {
  test('of many yeses to one purchase, in two processes, one records the only authorization', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addWallet(one)
    await purchasesOf(one).addPurchase(newPurchase('it'))
    const agreed = await Promise.all(countUp(8).map(at => purchasesOf(at % 2 ? one : two).agreePurchase('it', consent(at))))
    const [first, ...others] = agreed.filter(it => it !== undefined)
    expect([first?.state, others]).toEqual(['paying', []])
    expect(await purchasesOf(two).purchase('it')).toMatchObject({ nonce: first?.nonce, validBefore: 2_000_000_000, tries: 0 })
    expect(await purchasesOf(two).declinePurchase('it')).toBeUndefined()
  })

  test('a new proposal of the butler replaces the one of its run until the yes, which is only valid for the newest terms', async () => {
    const { open } = await fresh()
    const store = await open()
    await addWallet(store)
    const first = newPurchase('it', { isByButler: true })
    await purchasesOf(store).addPurchase(first)
    await purchasesOf(store).declinePurchase('it')
    const second = { ...first, url: 'https://seller.example/tides', amount: 2n, digest: 'abcdef01' }
    expect(await purchasesOf(store).addPurchase(second)).toMatchObject({ ...second, state: 'proposed' })
    expect(await purchasesOf(store).agreePurchase('it', consent(1))).toBeUndefined()
    expect(await purchasesOf(store).agreePurchase('it', { ...consent(1), digest: 'abcdef01' })).toMatchObject({
      state: 'paying',
      amount: 2n,
    })
    expect(await purchasesOf(store).addPurchase(first)).toMatchObject({ state: 'paying', digest: 'abcdef01' })
    // A purchase of /v1/purchases keeps its first terms.
    await purchasesOf(store).addPurchase(newPurchase('other'))
    expect(await purchasesOf(store).addPurchase(newPurchase('other', { amount: 3n, digest: 'abcdef02' }))).toMatchObject({
      digest: '12345678',
    })
  })

  test('of many processes that look at a due purchase, one takes it', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addWallet(one)
    await purchasesOf(one).addPurchase(newPurchase('it'))
    expect(await purchasesOf(two).duePurchases(9)).toEqual([])
    await purchasesOf(one).agreePurchase('it', consent(1))
    expect((await purchasesOf(two).duePurchases(9)).map(it => it.id)).toEqual(['it'])
    const taken = await Promise.all(countUp(8).map(at => purchasesOf(at % 2 ? one : two).leasePurchase('it')))
    expect(taken.filter(it => it)).toMatchObject([{ tries: 1 }])
    expect(await purchasesOf(two).duePurchases(9)).toEqual([])
    await purchasesOf(one).postponePurchase('it', { inMs: -1, reason: 'no answer' })
    expect(await purchasesOf(two).duePurchases(9)).toMatchObject([{ id: 'it', reason: 'no answer', tries: 1 }])
  })

  test('a process that had to wait for a purchase does not take it when another one has leased it meanwhile', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addWallet(one)
    await purchasesOf(one).addPurchase(newPurchase('it'))
    await purchasesOf(one).agreePurchase('it', consent(1))
    const isLocked = Promise.withResolvers<void>()
    const leased = one.atomically(async tables => {
      await purchasesOf(tables).postponePurchase('it', { inMs: -1, reason: '' })
      isLocked.resolve()
      // Meanwhile the other process begins to wait for the row.
      for (const _ of countUp(100)) await purchasesOf(tables).purchase('it')
      return purchasesOf(tables).leasePurchase('it')
    })
    await isLocked.promise
    const late = purchasesOf(two).leasePurchase('it')
    expect([await leased, await late]).toMatchObject([{ id: 'it' }, undefined])
  })

  test.each([
    ['an hour', 3_600_000],
    ['a minute', limits.purchaseLeaseMs + 60_000],
  ])('a purchase leased before the clock was set back by %s is due', async (_, inMs) => {
    const { open } = await fresh()
    const store = await open()
    await addWallet(store)
    await purchasesOf(store).addPurchase(newPurchase('it'))
    await purchasesOf(store).agreePurchase('it', consent(1))
    await purchasesOf(store).postponePurchase('it', { inMs, reason: '' })
    expect((await purchasesOf(store).duePurchases(9)).map(it => it.id)).toEqual(['it'])
    expect(await purchasesOf(store).leasePurchase('it')).toMatchObject({ id: 'it' })
    expect(await purchasesOf(store).duePurchases(9)).toEqual([])
  })

  test('the first answer and the first end are kept', async () => {
    const { open, wakeups } = await fresh()
    const store = await open()
    await addWallet(store)
    await purchasesOf(store).addPurchase(newPurchase('it'))
    expect(await purchasesOf(store).answerPurchase('it', reply('too early'))).toBeUndefined()
    await purchasesOf(store).agreePurchase('it', consent(1))
    expect(await purchasesOf(store).answerPurchase('it', reply('first'))).toMatchObject({ content: 'first' })
    expect(await purchasesOf(store).answerPurchase('it', reply('second'))).toBeUndefined()
    expect(await purchasesOf(store).endPurchase('it', { state: 'paid', hash: hash(7), reason: '' })).toMatchObject({
      state: 'paid',
    })
    expect(await purchasesOf(store).endPurchase('it', { state: 'unpaid', hash: undefined, reason: 'expired' })).toBeUndefined()
    expect(await purchasesOf(store).purchase('it')).toMatchObject({
      state: 'paid',
      hash: hash(7),
      content: 'first',
      dueAt: undefined,
    })
    expect(wakeups.filter(it => it === 'purchases' || it === 'run:it').length).toBeGreaterThan(2)
  })

  test('the parts of a long answer are read in order, count for their user, and are deleted after their time', async () => {
    const { open } = await fresh()
    const store = await open()
    await addWallet(store)
    for (const id of ['it', 'other']) {
      await purchasesOf(store).addPurchase(newPurchase(id))
      await purchasesOf(store).agreePurchase(id, consent(id.length))
    }
    await purchasesOf(store).addAnswerPart('it', 0, Buffer.from('of an earlier answer'))
    await purchasesOf(store).addAnswerPart('it', 1, Buffer.from('that broke off'))
    const [one, two] = [Buffer.from([0, 255, 1]), Buffer.from('end')]
    await purchasesOf(store).addAnswerPart('it', 0, one)
    await purchasesOf(store).keepPartialAnswer('it', reply('begin', { status: 206, bytes: 3, ending: 'early', parts: 1 }))
    expect(await purchasesOf(store).purchase('it')).toMatchObject({ status: undefined, partialStatus: 206, answerParts: 1 })
    expect(await purchasesOf(store).answerPart('it', 1)).toBeUndefined()
    await purchasesOf(store).addAnswerPart('it', 1, two)
    await purchasesOf(store).answerPurchase('it', reply('begin', { bytes: 6, parts: 2 }))
    await purchasesOf(store).answerPurchase('other', reply('short'))
    const bytes = [await purchasesOf(store).answerPart('it', 0), await purchasesOf(store).answerPart('it', 1)].map(
      it => it && Buffer.from(it),
    )
    expect(bytes).toEqual([one, two])
    expect(await purchasesOf(store).lockPurchases(user)).toMatchObject({ bytes: 6, bytesOfAll: 6 })
    expect(await purchasesOf(store).lockPurchases(account(5))).toMatchObject({ bytes: 0, bytesOfAll: 6 })
    expect(await purchasesOf(store).sweepAnswers(60_000)).toBe(false)
    expect(await purchasesOf(store).answerPart('it', 0)).toBeDefined()
    expect(await purchasesOf(store).sweepAnswers(-1)).toBe(false)
    expect(await purchasesOf(store).answerPart('it', 0)).toBeUndefined()
    expect(await purchasesOf(store).purchase('it')).toMatchObject({ content: 'begin', answerBytes: 6, answerParts: 0 })
    expect(await purchasesOf(store).lockPurchases(user)).toMatchObject({ bytes: 0 })
  })

  test('an answer that ended early is the answer of a paid purchase if no other one followed', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    for (const [at, id] of ['paid', 'unpaid'].entries()) {
      await purchasesOf(store).addPurchase(newPurchase(id))
      await purchasesOf(store).agreePurchase(id, consent(at))
      await purchasesOf(store).keepPartialAnswer(id, reply('part', { ending: 'early' }))
    }
    const end = { hash: undefined, reason: '' }
    expect(await purchasesOf(store).endPurchase('paid', { ...end, state: 'paid' })).toMatchObject({
      status: 200,
      content: 'part',
    })
    expect(await purchasesOf(store).endPurchase('unpaid', { ...end, state: 'unpaid' })).toMatchObject({ status: undefined })
  })

  test('a repeated proposal is the stored one, with the exact amount and the words of its seller', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    const stored = await purchasesOf(store).addPurchase(newPurchase('it'))
    expect(stored).toMatchObject({ ...newPurchase('it'), state: 'proposed' })
    expect(await purchasesOf(store).addPurchase(newPurchase('it', { amount: 2n }))).toEqual(stored)
    await purchasesOf(store).addPurchase(newPurchase('get', { method: 'GET', body: undefined, resource: undefined, version: 1 }))
    expect((await purchasesOf(store).purchases({ user, limit: 9 })).map(it => it.id)).toEqual(['get', 'it'])
    expect(await purchasesOf(store).purchases({ user: account(5), limit: 9 })).toEqual([])
  })

  test('purchases under way are counted, and their money is committed until they end', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    for (const at of countUp(3)) await purchasesOf(store).addPurchase(newPurchase(`p-${at}`, { amount: 5n }))
    for (const at of countUp(2)) await purchasesOf(store).agreePurchase(`p-${at}`, consent(at))
    expect(await purchasesOf(store).lockPurchases(user)).toMatchObject({ underWay: 2, today: 3, bytes: 0 })
    expect((await store.lockWithdrawals(wallet, { chainId, asset: 'usdc' })).committed).toBe(10n)
    await purchasesOf(store).endPurchase('p-0', { state: 'unpaid', hash: undefined, reason: 'expired' })
    expect(await purchasesOf(store).lockPurchases(user)).toMatchObject({ underWay: 1, today: 3 })
    expect((await store.lockWithdrawals(wallet, { chainId, asset: 'usdc' })).committed).toBe(5n)
    expect(await purchasesOf(store).lockPurchases(account(5))).toMatchObject({ underWay: 0, today: 0 })
  })

  test('purchases with an approval of Permit2 are those of a user and a chain whose payment has not expired', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    const intent = {
      chainId,
      sender: wallet,
      call: { to: account(8), data: '0x' as const, value: 0n, gas: 1n },
      after: undefined,
    }
    for (const at of countUp(3)) {
      const id = `p-${at}`
      await purchasesOf(store).addPurchase(newPurchase(id, { amount: 10n ** 30n + BigInt(at) }))
      await purchasesOf(store).agreePurchase(id, consent(at))
      // The last one is paid by the token itself.
      if (at < 2) await store.addIntents([{ ...intent, key: `purchase:${id}:approve` }])
    }
    await purchasesOf(store).endPurchase('p-0', { state: 'paid', hash: hash(7), reason: '' })
    const ask = (of = {}) => purchasesOf(store).permittedPurchases({ user, chainId, at: Date.now(), ...of })
    expect((await ask()).toSorted((one, other) => Number(one.amount - other.amount))).toEqual([
      { state: 'paid', amount: 10n ** 30n },
      { state: 'paying', amount: 10n ** 30n + 1n },
    ])
    for (const other of [{ at: 2_000_000_001_000 }, { chainId: chainId + 1 }, { user: account(5) }])
      expect(await ask(other)).toEqual([])
  })

  test('a proposed purchase is deleted after a day, unless its plan is open or its step has begun', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    await addRun(store)
    await store.putPlan({ runId: 'run-1', plan: planOf([step(1), step(2)]), decimals: 6 })
    const ids = ['alone', 'run-1_pay_1', 'run-1_pay_12', 'run-2_pay_1']
    const left = async () => {
      await store.db.tx(sql => sql('update purchase set created_at = created_at - 90000000'))
      await purchasesOf(store).addPurchase(newPurchase('new'))
      return (await purchasesOf(store).purchases({ user, limit: 9 })).map(it => it.id).filter(it => it !== 'new')
    }
    for (const id of ids) await purchasesOf(store).addPurchase(newPurchase(id))
    expect((await left()).toSorted()).toEqual(['run-1_pay_1', 'run-1_pay_12'])
    await store.db.tx(sql => sql(`update plan set state = 'running', agreed_at = 1`))
    expect(await store.startStep({ planId: 'run-1', number: 1, attempt: 0, runId: 'run-1_pay_1' })).toBe(true)
    expect((await left()).toSorted()).toEqual(['run-1_pay_1', 'run-1_pay_12'])
    await store.db.tx(sql => sql(`update plan set state = 'ended'`))
    expect(await left()).toEqual(['run-1_pay_1'])
  })

  test('one authorization nonce of a wallet belongs to one purchase', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    for (const id of ['one', 'two']) await purchasesOf(store).addPurchase(newPurchase(id))
    await purchasesOf(store).agreePurchase('one', consent(1))
    await expect(purchasesOf(store).agreePurchase('two', consent(1))).rejects.toThrow()
    expect(await purchasesOf(store).purchase('two')).toMatchObject({ state: 'proposed', nonce: undefined })
  })

  test('an ended purchase is read page by page, and can be followed again', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    for (const at of countUp(3)) {
      await purchasesOf(store).addPurchase(newPurchase(`it-${at}`))
      if (at < 2) await purchasesOf(store).agreePurchase(`it-${at}`, consent(at))
    }
    await purchasesOf(store).endPurchase('it-0', { state: 'paid', hash: hash(7), reason: '' })
    const [first, ...others] = await purchasesOf(store).endedPurchases(chainId, { afterSeq: 0, limit: 9 })
    expect([first, others]).toMatchObject([{ id: 'it-0', state: 'paid', hash: hash(7) }, []])
    expect(await purchasesOf(store).endedPurchases(chainId, { afterSeq: first?.seq ?? 0, limit: 9 })).toEqual([])
    expect(await purchasesOf(store).reopenPurchase('it-1')).toBeUndefined()
    expect(await purchasesOf(store).reopenPurchase('it-0')).toMatchObject({ state: 'paying', hash: undefined, tries: 0 })
    expect((await purchasesOf(store).duePurchases(9)).map(it => it.id)).toContain('it-0')
  })
})
