import { expect, test } from 'vitest'
import { type TokenTables, tokenTables } from '../../../src/features/tokens/ports.ts'
import type { HeldAsset, MinedTrade, Tables } from '../../../src/ports.ts'
import { account, chainId, countUp, newIntent, user } from '../rows.ts'
import { describeStores } from '../stores.ts'
import { newToken } from '../tokenRows.ts'

const [wallet, token] = [account(3), account(4)]
const hash = `0x${'a'.repeat(64)}` as const
const mined = (block: bigint) => ({ txHash: hash, blockNumber: block, blockHash: hash, at: Number(block) })
const launched = newToken({ token })
const trade = (block: bigint): MinedTrade => ({
  ...{ chainId, token, trader: wallet, side: 'buy', tokens: 10n ** 26n, amount: 7n, fee: 1n, reserve: 6n, held: 9n },
  ...{ place: Number(block), ...mined(block) },
})
const deadline = Date.now() + 1e9
const quote = (id: string) => ({
  ...{ id, user, chainId, wallet, token, side: 'buy' as const, asset: 'usdc' as const, amountIn: 5n, leastOut: 1n, deadline },
  ...{ expectedOut: 2n, fee: 1n, digest: `digest-${id}` },
})
const addWallet = (store: Tables) => store.addWallet({ address: wallet, role: 'user', owner: user, sealedKey: 'sealed' })

describeStores('tokens', fresh => {
  test('what was read is stored once, and what is above a block is taken back with numbers that never come again', async () => {
    const store = await (await fresh()).open()
    expect([await tokenTables(store).addToken(launched), await tokenTables(store).addToken(launched)]).toEqual([true, false])
    const [first, again] = [await tokenTables(store).addMinedTrade(trade(2n)), await tokenTables(store).addMinedTrade(trade(2n))]
    const second = await tokenTables(store).addMinedTrade(trade(3n))
    expect(again).toBeUndefined()
    expect(second).toBeGreaterThan(first ?? 0)
    expect(await tokenTables(store).tokens({ limit: 5, offset: 0 })).toEqual([launched])
    expect(await tokenTables(store).tokens({ chainId: 56, limit: 5, offset: 0 })).toEqual([])
    expect(await tokenTables(store).tradedTokens(chainId, wallet)).toEqual([launched])
    expect(await tokenTables(store).newestTrade(chainId, token)).toEqual(trade(3n))
    expect(await tokenTables(store).minedTrades({ chainId, token, since: 3, limit: 9 })).toEqual([trade(3n)])
    const equal = { chainId, token, trader: wallet, side: 'buy' as const, amount: 7n, limit: 9 }
    expect(await tokenTables(store).tradesOf(equal)).toEqual([trade(3n), trade(2n)])
    expect(await tokenTables(store).tradesOf({ ...equal, amount: 8n })).toEqual([])
    expect([await tokenTables(store).countTokens({ chainId }), await tokenTables(store).countTraders(chainId, token)]).toEqual([
      1, 1,
    ])
    expect(await tokenTables(store).tokenBlocks(chainId, 9)).toEqual([3n, 2n, 1n].map(number => ({ number, hash })))
    expect(await tokenTables(store).dropTokenEvents(chainId, 2n)).toEqual({ trades: [second], fees: [] })
    expect(await tokenTables(store).addMinedTrade(trade(3n))).toBeGreaterThan(second ?? 0)
  })

  test('of two readers at one cursor, one moves it', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const [first, second] = [
      { number: 3n, hash },
      { number: 4n, hash },
    ]
    const move = (of: Parameters<TokenTables['moveTokenCursor']>[1]) =>
      Promise.all([one, two].map(it => tokenTables(it).moveTokenCursor(chainId, of)))
    expect((await move({ from: { number: 0n }, to: first })).toSorted()).toEqual([false, true])
    expect(await tokenTables(two).tokenCursor(chainId)).toEqual(first)
    expect((await move({ from: first, to: second })).toSorted()).toEqual([false, true])
    expect(await tokenTables(one).tokenCursor(chainId)).toEqual(second)
  })

  test('of many yeses to quotes of one wallet, in two processes, one is taken until its trade ends', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addWallet(one)
    for (const at of countUp(6)) await tokenTables(one).addQuote(quote(`q${at}`), 6)
    expect(await tokenTables(one).addQuote(quote('more'), 6)).toBeUndefined()
    const answers = await Promise.all(countUp(6).map(at => tokenTables(at % 2 ? one : two).agreeTrade(`q${at}`)))
    expect(answers.toSorted()).toEqual(['agreed', ...countUp(5).map(() => 'under-way')])
    const [agreed] = await tokenTables(two).tradeOrders({ user, limit: 9 })
    expect(agreed).toMatchObject({ agreedAt: expect.any(Number), sending: undefined, amountIn: 5n })
    expect(await tokenTables(two).agreeTrade(agreed?.id ?? '')).toBe('agreed-before')
    await two.addIntents([newIntent(`trade:${agreed?.id}`)])
    const committed = async (asset: HeldAsset) => (await two.lockWithdrawals(wallet, { chainId, asset })).committed
    expect([await committed('usdc'), await committed('wrapped'), await committed('coin')]).toEqual([5n, 0n, 0n])
    expect(await tokenTables(two).tradeOrderOfDigest(user, agreed?.digest ?? '')).toMatchObject({
      id: agreed?.id,
      sending: 'waiting',
    })
    expect(await tokenTables(two).tradeOrderOfDigest(account(9), agreed?.digest ?? '')).toBeUndefined()
  })

  test('a launch order has the state of its transaction, and a later one is the newest', async () => {
    const store = await (await fresh()).open()
    const order = { agentKey: '97:coiner', chainId, reserveKind: 'usdc' as const, name: 'Coiner', symbol: 'COIN' }
    for (const id of ['l1', 'l2']) {
      await tokenTables(store).addLaunchOrder({ ...order, id })
      await store.addIntents([newIntent(`launch:${id}`)])
    }
    expect(await tokenTables(store).newestLaunchOrder('97:coiner')).toMatchObject({ id: 'l2', state: 'waiting' })
    expect(await tokenTables(store).launchOrder('l1')).toMatchObject({ id: 'l1', symbol: 'COIN' })
  })
})
