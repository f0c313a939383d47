import { expect, test } from 'vitest'
import { tokenTables } from '../../../src/features/tokens/ports.ts'
import type { HeldAsset, Tables } from '../../../src/ports.ts'
import { account, addRun, chainId, countUp, newIntent, newJob, user } from '../rows.ts'
import { describeStores } from '../stores.ts'

// The wallet of `newJob`, so that an open hire reserves some of its USDC.
const wallet = account(3)
const addWallet = (store: Tables) => store.addWallet({ address: wallet, role: 'user', owner: user, sealedKey: 'sealed' })

const ask = (store: Pick<Tables, 'addWithdrawal' | 'addIntents'>, id: string) =>
  Promise.all([
    store.addWithdrawal({ id, user, chainId, asset: 'usdc', decimals: 6, wallet, to: user, amount: 5n }),
    store.addIntents([newIntent(`withdraw:${id}`)]),
  ])

describeStores('withdrawals', fresh => {
  test('of many concurrent withdrawals from one wallet, in two processes, one is allowed', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addWallet(one)
    const take = (at: number) =>
      (at % 2 ? one : two).atomically(async tables => {
        if ((await tables.lockWithdrawals(wallet, { chainId, asset: 'usdc' })).underWay === 0) await ask(tables, `w-${at}`)
      })
    await Promise.all(countUp(8).map(take))
    expect(await two.withdrawals({ user, limit: 9 })).toMatchObject([{ amount: 5n, state: 'waiting' }])
    expect(await two.withdrawals({ user: account(9), limit: 9 })).toEqual([])
  })

  test('a withdrawal has the state of its transaction, and those of a day are counted', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    await ask(store, 'first')
    await store.giveUp((await store.intent('withdraw:first'))?.seq ?? 0, 'the contract refuses it')
    await ask(store, 'second')
    expect(await store.withdrawal('first')).toMatchObject({ state: 'reverted', hash: undefined })
    expect((await store.withdrawals({ user, limit: 1 })).map(it => it.id)).toEqual(['second'])
    expect(await store.lockWithdrawals(wallet, { chainId, asset: 'usdc' })).toEqual({ underWay: 1, today: 2, committed: 0n })
    expect(await store.lockWithdrawals(wallet, { chainId: 56, asset: 'usdc' })).toEqual({ underWay: 0, today: 0, committed: 0n })
  })

  test('a withdrawal keeps its asset, and what trades under way have committed of it is not free', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    const token = account(4)
    for (const asset of ['usdc', 'wrapped', 'coin', token] as const) {
      await store.addWithdrawal({ id: asset, user, chainId, asset, decimals: 18, wallet, to: user, amount: 5n })
      await store.addIntents([newIntent(`withdraw:${asset}`)])
      expect(await store.withdrawal(asset)).toMatchObject({ asset, state: 'waiting' })
    }
    const order = { user, chainId, wallet, token, deadline: Date.now() + 1e9, leastOut: 1n, expectedOut: 1n, fee: 0n }
    const add = async (id: string, of: { side: 'buy' | 'sell'; asset: 'wrapped' | 'coin'; amountIn: bigint }) => {
      await tokenTables(store).addQuote({ ...order, ...of, id, digest: id }, 9)
      await store.addIntents([newIntent(`trade:${id}`)])
    }
    await add('buy-wrapped', { side: 'buy', asset: 'wrapped', amountIn: 7n })
    await add('buy-coin', { side: 'buy', asset: 'coin', amountIn: 8n })
    await add('sell', { side: 'sell', asset: 'coin', amountIn: 9n })
    const committed = async (asset: HeldAsset) => (await store.lockWithdrawals(wallet, { chainId, asset })).committed
    expect(await committed('wrapped')).toBe(7n)
    expect(await committed('coin')).toBe(8n)
    expect(await committed(token)).toBe(9n)
    expect(await committed('usdc')).toBe(0n)
    await store.giveUp((await store.intent('trade:sell'))?.seq ?? 0, 'the launchpad refuses it')
    expect(await committed(token)).toBe(0n)
  })

  test('money that pending hires are about to take is not free for withdrawal', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    for (const runId of ['run-open', 'run-funded']) {
      await addRun(store, runId)
      await store.addJob(newJob(runId))
    }
    await store.moveJob('job-of-run-funded', 'fund', { chainJobId: 1n })
    expect((await store.lockWithdrawals(wallet, { chainId, asset: 'usdc' })).committed).toBe(newJob('any').budget)
  })

  const outside = { user, chainId, address: account(0xfeed), name: 'Mine' }

  test('an outside address waits for its delay, is there once, and of many added at once as many as fit are', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const added = await Promise.all(
      countUp(8).map(at => (at % 2 ? one : two).addWithdrawalAddress({ ...outside, id: `a-${at}`, delayMs: 60_000 }, 9)),
    )
    expect(added.filter(it => it === 'known')).toHaveLength(7)
    expect(await two.withdrawalAddresses(user)).toMatchObject([{ address: outside.address, removedAt: undefined }])
    expect(await one.withdrawalAddresses(account(9))).toEqual([])
    expect(await one.lockWithdrawalAddress(outside)).toMatchObject({ isUsable: false })
    const others = countUp(8).map(at => ({ ...outside, address: account(100 + at), id: `b-${at}`, delayMs: 0 }))
    const filled = await Promise.all(others.map((it, at) => (at % 2 ? one : two).addWithdrawalAddress(it, 3)))
    expect(filled.filter(it => it === 'full')).toHaveLength(6)
    const [ready] = filled.flatMap(it => (typeof it === 'string' ? [] : it))
    if (!ready) throw new Error('none was added')
    expect(await two.lockWithdrawalAddress(ready)).toMatchObject({ isUsable: true })
    expect([await one.wasUsable(ready, Date.now() + 9_000), await one.wasUsable(ready, ready.usableAt - 1)]).toEqual([
      true,
      false,
    ])
    expect(await one.wasUsable(outside, Date.now())).toBe(false)
  })

  test('a removed address is not there, counts for the limit, and waits again when it is added again', async () => {
    const store = await (await fresh()).open()
    await store.addWithdrawalAddress({ ...outside, id: 'one', delayMs: 0 }, 2)
    expect(await store.removeWithdrawalAddress('one', account(9))).toBeUndefined()
    expect(await store.removeWithdrawalAddress('one', user)).toMatchObject({ address: outside.address })
    expect(await store.removeWithdrawalAddress('one', user)).toBeUndefined()
    expect([await store.withdrawalAddresses(user), await store.lockWithdrawalAddress(outside)]).toEqual([[], undefined])
    expect(await store.addWithdrawalAddress({ ...outside, id: 'two', delayMs: 60_000 }, 2)).toMatchObject({ id: 'two' })
    expect(await store.lockWithdrawalAddress(outside)).toMatchObject({ isUsable: false })
    expect(await store.addWithdrawalAddress({ ...outside, address: account(5), id: 'three', delayMs: 0 }, 2)).toBe('full')
    // What was sent there before goes on: it could be used then.
    expect(await store.wasUsable(outside, Date.now() + 9_000)).toBe(true)
  })

  test('a withdrawal keeps where it goes', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    const to = account(0xfeed)
    await store.addWithdrawal({ id: 'out', user, chainId, asset: 'usdc', decimals: 6, wallet, to, amount: 5n })
    await store.addIntents([newIntent('withdraw:out')])
    expect(await store.withdrawal('out')).toMatchObject({ user, to })
    await ask(store, 'own')
    expect((await store.withdrawals({ user, limit: 9 })).map(it => it.to)).toEqual([user, to])
  })

  test('notices of one kind hide none of another, and the limit of an account is replaced', async () => {
    const store = await (await fresh()).open()
    await store.addAccountEvent({ wallet: user, kind: 'address-added', text: 'first' })
    for (const at of countUp(60)) await store.addAccountEvent({ wallet: user, kind: 'limit', text: String(at) })
    const kept = await store.accountEvents({ wallet: user, limit: 100 })
    expect([kept.length, kept.at(-1)?.text, await store.accountEvents({ wallet: account(9), limit: 9 })]).toEqual([
      51,
      'first',
      [],
    ])
    expect(await store.yesLimit(user)).toBeUndefined()
    expect(await store.setYesLimit(user, { usdc: '5', before: undefined })).toBe(true)
    expect(await store.setYesLimit(user, { usdc: '9', before: undefined })).toBe(false)
    expect(await store.setYesLimit(user, { usdc: '0', before: '5' })).toBe(true)
    expect(await store.setYesLimit(user, { usdc: '9', before: '5' })).toBe(false)
    expect(await store.yesLimit(user)).toBe('0')
  })
})
