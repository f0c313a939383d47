import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenTables } from '../../../src/features/tokens/ports.ts'
import { openSenders, type Senders } from '../../chain/senders.ts'
import { account, newIntent } from '../../store/rows.ts'
import { newToken } from '../../store/tokenRows.ts'

let world: Senders
beforeAll(async () => {
  world = await openSenders({ spending: { job: '50', day: '100' } })
})
afterAll(() => world.close())

test('a token leaves a custodial wallet to its owner at the owner’s request, once it is known as the token of an agent', async () => {
  const { chain, store, wallets } = world
  const [owner, token] = [account(0xc01), account(0x70c)]
  const wallet = await wallets.ensure('user', owner)
  await store.addWithdrawal({ id: 'asked', user: owner, chainId: 97, asset: token, decimals: 18, wallet, to: owner, amount: 7n })
  await store.addIntents([newIntent('withdraw:asked')])
  const send = async () => {
    const call = chain.withdraw?.(token, owner, 7n)
    if (!call) throw new Error('this chain withdraws nothing')
    return chain.sign({ sender: wallet, nonce: 0, call, purpose: 'withdraw:asked' })
  }
  await expect(send()).rejects.toThrow('is neither the token of an agent nor one of the list')
  await tokenTables(store).addToken(newToken({ token }))
  expect((await send()).nonce).toBe(0)
})
