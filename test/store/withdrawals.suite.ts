import { expect, test } from 'vitest'
import type { Tables } from '../../src/ports.ts'
import { account, addRun, chainId, countUp, newIntent, newJob, user } from './rows.ts'
import { describeStores } from './stores.ts'

// The wallet of `newJob`, so that an open hire reserves some of its USDC.
const wallet = account(3)
const addWallet = (store: Tables) => store.addWallet({ address: wallet, role: 'user', owner: user, sealedKey: 'sealed' })

const ask = (store: Pick<Tables, 'addWithdrawal' | 'addIntents'>, id: string) =>
  Promise.all([
    store.addWithdrawal({ id, user, chainId, decimals: 6, wallet, amount: 5n }),
    store.addIntents([newIntent(`withdraw:${id}`)]),
  ])

describeStores('withdrawals', fresh => {
  test('of many concurrent withdrawals from one wallet, in two processes, one is allowed', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addWallet(one)
    const take = (at: number) =>
      (at % 2 ? one : two).atomically(async tables => {
        if ((await tables.lockWithdrawals(wallet, chainId)).underWay === 0) await ask(tables, `w-${at}`)
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
    expect(await store.lockWithdrawals(wallet, chainId)).toEqual({ underWay: 1, today: 2, committed: 0n })
    expect(await store.lockWithdrawals(wallet, 56)).toEqual({ underWay: 0, today: 0, committed: 0n })
  })

  test('money that pending hires are about to take is not free for withdrawal', async () => {
    const store = await (await fresh()).open()
    await addWallet(store)
    for (const runId of ['run-open', 'run-funded']) {
      await addRun(store, runId)
      await store.addJob(newJob(runId))
    }
    await store.moveJob('job-of-run-funded', 'fund', { chainJobId: 1n })
    expect((await store.lockWithdrawals(wallet, chainId)).committed).toBe(newJob('any').budget)
  })
})
