import { expect, test } from 'vitest'
import { activityTables, type Movement } from '../../../src/features/activity/ports.ts'
import { joined } from '../../../src/store/engine/rows.ts'
import { account, chainId, hash } from '../rows.ts'
import { describeStores } from '../stores.ts'

const wallet = account(3)
const block = (number: bigint) => ({ number, hash: hash(Number(number)) })
const movement = (at: bigint): Movement => ({
  ...{ chainId, wallet, other: account(4), amount: 10n ** 19n, txHash: hash(100 + Number(at)) },
  ...{ blockNumber: at, blockHash: hash(Number(at)), logIndex: 0, at: 1_900_000_000_000 },
})

test('a statement that would also run when the one before it returned no row is refused', () => {
  const first = ['update wallet set owner = $1 returning address', ['one']] as const
  expect(() => joined([[...first], ['delete from wallet where owner = $1', ['two']]])).toThrow('{ADDED}')
  expect(joined([[...first], ['delete from wallet where owner = $1 and {ADDED}', ['two']]])[1]).toEqual(['one', 'two'])
})

describeStores('transfers of wallets', fresh => {
  test('transfers are stored in their order, and a reader that another one has passed stores none and leaves the cursor', async () => {
    const store = await (await fresh()).open()
    const tables = activityTables(store)
    await store.addWallet({ address: wallet, role: 'user', owner: account(5), sealedKey: 'sealed' })
    const stored = async () => (await tables.movements({ wallet, before: undefined, limit: 9 })).map(it => it.blockNumber)
    const first = { from: { number: 0n }, to: block(1n) }
    expect(await tables.keepMovements(chainId, [movement(1n)], first)).toBe(true)
    const next = { from: block(1n), to: block(3n) }
    expect(await tables.keepMovements(chainId, [movement(2n), movement(3n), movement(3n)], next)).toBe(true)
    for (const stale of [
      { ...next, to: block(4n) },
      { from: { number: 0n }, to: block(4n) },
    ])
      expect(await tables.keepMovements(chainId, [movement(4n)], stale)).toBe(false)
    expect(await stored()).toEqual([3n, 2n, 1n])
    expect(await tables.transferCursor(chainId)).toEqual(block(3n))
  })
})
