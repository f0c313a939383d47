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
    store.addWithdrawal({ id, user, chainId, asset: 'usdc', decimals: 6, wallet, amount: 5n }),
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
      await store.addWithdrawal({ id: asset, user, chainId, asset, decimals: 18, wallet, amount: 5n })
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
})
