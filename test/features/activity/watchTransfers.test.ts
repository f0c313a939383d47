import { afterEach, expect, test } from 'vitest'
import type { Address } from '../../../src/domain/hex.ts'
import { activityTables } from '../../../src/features/activity/ports.ts'
import { watchTransfers } from '../../../src/features/activity/watchTransfers.ts'
import type { TokenTransfer, WalletSet } from '../../../src/ports.ts'
import { openStore } from '../../../src/store/store.ts'
import { tables } from '../../assembled.ts'
import { account } from '../../store/rows.ts'
import { newStoreFile } from '../../store/template.ts'
import { createScriptedChain } from '../../world/chain.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const [ours, agents, stranger] = [account(5), account(6), account(7)]
const hashOf = (name: string) => `0x${Buffer.from(name).toString('hex').padEnd(64, '0')}` as const

/** A chain whose blocks have the transfers that a test puts into them. */
const open = async ({ most = 5 } = {}) => {
  const { place, remove } = await newStoreFile()
  ends.push(remove)
  const clock = { now: () => 1_900_000_000_000 }
  const store = await openStore({ ...place, tables, clock })
  ends.push(store.close)
  const owner = account(8)
  await store.addWallet({ address: ours, role: 'user', owner, sealedKey: 'x' })
  await store.addWallet({ address: agents, role: 'agent', owner: 'owner', sealedKey: 'x' })
  const chain = createScriptedChain({ clock, seed: 'transfers' })
  const told = new Map<string, TokenTransfer[]>()
  const asked: number[] = []
  const transfers = async (of: WalletSet, from: bigint, to: bigint) => {
    const found: TokenTransfer[] = []
    for (let at = from; at <= to; at += 1n) found.push(...(told.get((await chain.blockHash(at)) ?? '') ?? []))
    asked.push((await of.upTo(most))?.length ?? Number.POSITIVE_INFINITY)
    const own = await of.among(found.flatMap(it => [it.from, it.to]))
    return found.filter(it => own.includes(it.from) || own.includes(it.to))
  }
  const worker = watchTransfers({ store, chain, read: transfers })
  const put = async (name: string, ...moves: Pick<TokenTransfer, 'from' | 'to' | 'amount' | 'token'>[]) => {
    chain.mine()
    const { number, hash } = await chain.head()
    const mined = { txHash: hashOf(name), blockNumber: number, blockHash: hash, at: clock.now() }
    told.set(
      hash,
      moves.map((it, logIndex) => ({ ...mined, ...it, logIndex })),
    )
  }
  const read = async () => {
    while (await worker.runOnce());
  }
  const sumOf = async (wallet: Address) => {
    const movements = await activityTables(store).movements({ wallet, before: undefined, limit: 100 })
    return movements.reduce((sum, it) => sum + it.amount, 0n)
  }
  const sums = async () => [await sumOf(ours), await sumOf(agents)]
  return { store, chain, put, read, sums, owner, asked }
}

test('a transfer stands on each of our wallets in it once, and one of nothing stands on none', async () => {
  const { store, put, read, sums } = await open()
  await put('in', { from: stranger, to: ours, amount: 900n })
  await put('both', { from: ours, to: agents, amount: 250n }, { from: stranger, to: ours, amount: 0n })
  await put('self', { from: ours, to: ours, amount: 70n })
  await read()
  await read()
  expect(await sums()).toEqual([650n, 250n])
  const { movements } = activityTables(store)
  const rows = await movements({ wallet: ours, before: undefined, limit: 9 })
  expect(rows.map(it => it.amount)).toEqual([-250n, 900n])
  expect(await movements({ wallet: ours, before: rows[0]?.seq, limit: 9 })).toEqual([rows[1]])
})

test('a reorganisation takes its transfers out, and those of the new history stand in their place', async () => {
  const { chain, put, read, sums } = await open()
  await put('kept', { from: stranger, to: ours, amount: 900n })
  await put('lost', { from: ours, to: stranger, amount: 400n })
  await read()
  expect(await sums()).toEqual([500n, 0n])
  chain.orphan(1)
  await put('other', { from: ours, to: agents, amount: 30n })
  await put('again', { from: ours, to: stranger, amount: 400n })
  await read()
  expect(await sums()).toEqual([470n, 30n])
})

test('the owner of a wallet is told once of each deposit, and of no money that the market itself moved', async () => {
  const { store, chain, put, read, owner } = await open()
  const told = async () => (await store.accountEvents({ wallet: owner, limit: 9 })).map(it => [it.kind, it.text])
  await put('in', { from: stranger, to: ours, amount: 1_250_000n })
  const { escrow } = chain.addresses
  await put('refund', { from: escrow, to: ours, amount: 7n }, { from: ours, to: stranger, amount: 9n })
  await put('agent', { from: stranger, to: agents, amount: 5n })
  await read()
  await read()
  const text = `1.25 USDC arrived on chain 97 from ${stranger}. It is in your balance.`
  expect(await told()).toEqual([['deposit', text]])
  await store.addAccountEvent({ wallet: owner, kind: 'limit', text: 'changed' })
  for (const name of ['a', 'b', 'c', 'd']) await put(name, { from: stranger, to: ours, amount: 1n })
  await read()
  // Strangers can send dust, and what the owner must see stays.
  expect((await told()).map(([kind]) => kind)).toEqual(['deposit', 'deposit', 'deposit', 'limit'])
})

test('another token that arrives is told once, and is no movement of USDC; one that leaves is not told', async () => {
  const { store, put, read, sums, owner } = await open()
  const token = { address: account(9), symbol: 'USDT', decimals: 18 }
  const ether = 10n ** 18n
  await put('in', { from: stranger, to: ours, amount: 3n * ether, token }, { from: ours, to: stranger, amount: ether, token })
  await read()
  await read()
  const told = await store.accountEvents({ wallet: owner, limit: 9 })
  expect(told.map(it => it.text)).toEqual([
    `3 USDT arrived on chain 97 from ${stranger}. Jobs are paid with USDC only, so it is not in your balance. ` +
      'You can withdraw it under Account.',
  ])
  expect(await sums()).toEqual([0n, 0n])
})

test('above the wallets that a node can be asked for, only those are read that transfers name', async () => {
  const { store, put, read, sums, owner, asked } = await open({ most: 1 })
  await put('in', { from: stranger, to: ours, amount: 1_250_000n }, { from: stranger, to: account(3), amount: 5n })
  await read()
  await put('none')
  await put('on', { from: ours, to: agents, amount: 250_000n })
  await read()
  expect(await sums()).toEqual([1_000_000n, 250_000n])
  expect((await store.accountEvents({ wallet: owner, limit: 9 })).map(it => it.kind)).toEqual(['deposit'])
  expect(new Set(asked)).toEqual(new Set([Number.POSITIVE_INFINITY]))
})

test('blocks without transfers move the stored cursor only now and then, and a reorganisation of them loses nothing', async () => {
  const { store, chain, put, read, sums } = await open()
  const cursor = async () => (await activityTables(store).transferCursor(chain.chainId))?.number
  await put('in', { from: stranger, to: ours, amount: 900n })
  await read()
  const first = await cursor()
  for (const name of ['a', 'b', 'c']) await put(name)
  await read()
  expect(await cursor()).toBe(first)
  chain.orphan(2)
  await put('other', { from: ours, to: agents, amount: 30n })
  await put('d')
  await read()
  expect(await sums()).toEqual([870n, 30n])
  for (let at = 0; at < 64; at += 1) await put(`empty ${at}`)
  await read()
  expect(await cursor()).toBeGreaterThan((first ?? 0n) + 60n)
})
