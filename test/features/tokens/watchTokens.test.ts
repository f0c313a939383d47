import { afterEach, expect, test } from 'vitest'
import { oneToken, quoteBuy, quoteSell, tokenSupply } from '../../../src/domain/tokens/tokenCurve.ts'
import { tokenTables } from '../../../src/features/tokens/ports.ts'
import { watchTokens } from '../../../src/features/tokens/watchTokens.ts'
import type { Chain, Launchpad, TokenEvent } from '../../../src/ports.ts'
import { openStore } from '../../../src/store/store.ts'
import { tables } from '../../assembled.ts'
import { account } from '../../store/rows.ts'
import { newStoreFile } from '../../store/template.ts'
import { createScriptedChain } from '../../world/chain.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const [token, trader] = [account(5), account(6)]
const start = { virtualReserve: 5_000n, reserve: 0n, held: tokenSupply, feeBps: 100 }
const treasury = account(11)
const facts = { feeBps: 100, creatorShareBps: 5_000, treasury, virtualReserves: { usdc: 5_000n, wrapped: 8n } }
const hashOf = (name: string) => `0x${Buffer.from(name).toString('hex').padEnd(64, '0')}` as const

/** A chain whose blocks have the token events that a test puts into them. */
const open = async () => {
  const { place, remove } = await newStoreFile()
  ends.push(remove)
  const clock = { now: () => 1_900_000_000_000 }
  const store = await openStore({ ...place, tables, clock })
  ends.push(store.close)
  const scripted = createScriptedChain({ clock, seed: 'tokens' })
  const told = new Map<string, TokenEvent[]>()
  /** Events that the node omits from its next answers, with the number of these answers. */
  const omitted = new Map<string, number>()
  const launchpad: Pick<Launchpad, 'events' | 'facts' | 'wrappedCoin'> = {
    wrappedCoin: undefined,
    facts: async () => facts,
    events: async (from, to) => {
      const found: TokenEvent[] = []
      for (let at = from; at <= to; at += 1n) found.push(...(told.get((await scripted.blockHash(at)) ?? '') ?? []))
      return found.filter(it => {
        const left = omitted.get(it.txHash) ?? 0
        omitted.set(it.txHash, left - 1)
        return left <= 0
      })
    },
  }
  const chain: Chain = scripted
  const worker = watchTokens({ store, chain, launchpad: { ...unasked, ...launchpad } })
  const put = async (name: string, event: Record<string, unknown>) => {
    scripted.mine()
    const { number, hash } = await scripted.head()
    const mined = { token, txHash: hashOf(name), blockNumber: number, blockHash: hash, place: 0, at: clock.now() }
    told.set(hash, [{ ...mined, ...event } as TokenEvent])
  }
  const read = async () => {
    while (await worker.runOnce());
  }
  /** Reads as the worker's loop does, which goes on after an error. Returns the errors. */
  const readOn = async () => {
    const errors: string[] = []
    for (let more: unknown = true; more !== false; )
      more = await worker.runOnce().catch((error: unknown) => errors.push(String(error)))
    return errors
  }
  const sumOf = async (of: string) => (await store.ledger({ account: of })).reduce((sum, it) => sum + it.amount, 0n)
  return { store, scripted, put, read, readOn, omitted, sumOf }
}

const unreached = () => {
  throw new Error('no test goes here')
}
const unasked = {
  ...{
    address: account(9),
    curve: unreached,
    balance: unreached,
    launch: unreached,
    trade: unreached,
    payCreatorFees: unreached,
    purchaseNonce: unreached,
  },
}

const launched = { name: 'launched', agentNumber: 3n, creator: account(7), tokenName: 'Coiner', symbol: 'COIN' }
const bought = (amount: bigint, from = start) => ({ name: 'bought', trader, amount, tokens: quoteBuy(from, amount).out })

test('tokens and trades are read once, and their postings are those of the curve', async () => {
  const { store, scripted, put, read, sumOf } = await open()
  await put('launch', { ...launched, asset: scripted.addresses.usdc })
  const first = quoteBuy(start, 1_000n)
  await put('buy', bought(1_000n))
  const sale = quoteSell(first.after, oneToken * 1_000_000n)
  await put('sell', { name: 'sold', trader, tokens: oneToken * 1_000_000n, amount: sale.out })
  await read()
  await read()
  expect(await tokenTables(store).tokens({ limit: 9, offset: 0 })).toMatchObject([
    { symbol: 'COIN', agentId: expect.stringMatching(/:3$/) },
  ])
  expect(await sumOf(`curve:${token}`)).toBe(sale.after.reserve)
  expect(await sumOf(`token-fees:${token}`)).toBe(first.fee + sale.fee)
  expect(await sumOf(`${token}/wallet:${trader}`)).toBe(tokenSupply - sale.after.held)
  expect(await sumOf(`wallet:${trader}`)).toBe(sale.out - 1_000n)
})

test('a reorganisation takes trades out of the books, and the trades of the new history are booked in their place', async () => {
  const { store, scripted, put, read, sumOf } = await open()
  await put('launch', { ...launched, asset: scripted.addresses.usdc })
  await put('first', bought(1_000n))
  await read()
  await put('lost', bought(500n, quoteBuy(start, 1_000n).after))
  await read()
  expect((await tokenTables(store).newestTrade(97, token))?.amount).toBe(500n)
  scripted.orphan(2)
  await put('other', bought(70n))
  await put('again', bought(1_000n, quoteBuy(start, 70n).after))
  await read()
  const { after } = quoteBuy(quoteBuy(start, 70n).after, 1_000n)
  expect(await tokenTables(store).newestTrade(97, token)).toMatchObject({ reserve: after.reserve, held: after.held })
  expect(await sumOf(`curve:${token}`)).toBe(after.reserve)
  expect(await sumOf(`${token}/wallet:${trader}`)).toBe(tokenSupply - after.held)
  // The launch itself may go as well.
  scripted.orphan(3)
  scripted.mine()
  scripted.mine()
  scripted.mine()
  scripted.mine()
  await read()
  expect(await tokenTables(store).tokens({ limit: 9, offset: 0 })).toEqual([])
  expect(await sumOf(`curve:${token}`)).toBe(0n)
})

test('fees that are paid to the agent and to the platform are booked once, and are taken back with their block', async () => {
  const { store, scripted, put, read, sumOf } = await open()
  const { usdc } = scripted.addresses
  const agent = account(12)
  await put('launch', { ...launched, asset: usdc })
  await put('first', bought(10_000n))
  await read()
  const id = (await tokenTables(store).tokens({ limit: 1, offset: 0 }))[0]?.agentId ?? ''
  const earned = () => store.tokenFeeSums(id, [0, 1_899_999_999_999])
  expect(await sumOf(`token-fees:${token}`)).toBe(100n)
  await put('fees', { name: 'fees-paid', receiver: agent, amount: 50n })
  await put('platform', { name: 'platform-fees-paid', token: usdc, receiver: treasury, amount: 50n })
  await read()
  await read()
  const sums = () => Promise.all([`token-fees:${token}`, `wallet:${agent}`, 'platform-fees:97', `wallet:${treasury}`].map(sumOf))
  expect(await sums()).toEqual([0n, 50n, 0n, 50n])
  expect(await earned()).toEqual([0n, 50n])
  scripted.orphan(1)
  scripted.mine()
  scripted.mine()
  await read()
  expect(await sums()).toEqual([0n, 50n, 50n, 0n])
  scripted.orphan(3)
  for (let at = 0; at < 4; at += 1) scripted.mine()
  await read()
  expect(await sums()).toEqual([100n, 0n, 0n, 0n])
  expect(await earned()).toEqual([0n, 0n])
})

test('events that another reader has stored are skipped', async () => {
  const { store, scripted, put, read, readOn, sumOf } = await open()
  await put('launch', { ...launched, asset: scripted.addresses.usdc })
  await put('first', bought(1_000n))
  await put('second', bought(500n, quoteBuy(start, 1_000n).after))
  await read()
  const reserve = await sumOf(`curve:${token}`)
  const from = (await tokenTables(store).tokenCursor(97)) ?? { number: 0n }
  await tokenTables(store).moveTokenCursor(97, { from, to: { number: 1n, hash: (await scripted.blockHash(1n)) ?? '0x' } })
  // The cursor of a quiet chain is stored after 64 blocks, and is then found to be another's.
  for (let at = 0; at < 64; at += 1) scripted.mine()
  expect(await readOn()).toEqual([])
  expect((await tokenTables(store).tokenCursor(97))?.number).toBe(from.number + 64n)
  expect(await sumOf(`curve:${token}`)).toBe(reserve)
})

test('an event that the node omitted is found when the next one does not follow', async () => {
  const { scripted, put, readOn, omitted, sumOf } = await open()
  await put('launch', { ...launched, asset: scripted.addresses.usdc })
  await put('first', bought(1_000n))
  expect(await readOn()).toEqual([])
  await put('missed', bought(70n, quoteBuy(start, 1_000n).after))
  omitted.set(hashOf('missed'), 2)
  expect(await readOn()).toEqual([])
  const before = quoteBuy(quoteBuy(start, 1_000n).after, 70n)
  await put('next', bought(500n, before.after))
  expect(await readOn()).toEqual([expect.stringContaining('does not follow'), expect.stringContaining('does not follow')])
  const { after } = quoteBuy(before.after, 500n)
  expect(await sumOf(`curve:${token}`)).toBe(after.reserve)
  expect(await sumOf(`${token}/wallet:${trader}`)).toBe(tokenSupply - after.held)
})

test('a token whose trades never follow does not stop the reading of the others', async () => {
  const { store, scripted, put, readOn, sumOf } = await open()
  const other = account(8)
  await put('launch', { ...launched, asset: scripted.addresses.usdc })
  await put('other', { ...launched, token: other, agentNumber: 4n, asset: scripted.addresses.usdc })
  await put('false', { ...bought(1_000n), tokens: 7n })
  await put('sold', { name: 'sold', trader, tokens: 7n, amount: 300n })
  await put('true', { ...bought(1_000n), token: other })
  expect((await readOn()).length).toBeGreaterThan(0)
  expect(await readOn()).toEqual([])
  expect(await tokenTables(store).tokenCursor(97)).toMatchObject(
    await scripted.head().then(({ number, hash }) => ({ number, hash })),
  )
  expect(await sumOf(`${other}/wallet:${trader}`)).toBe(quoteBuy(start, 1_000n).out)
  // The wallets of the other token have the amounts of its events.
  expect([await sumOf(`wallet:${trader}`), await sumOf(`${token}/wallet:${trader}`)]).toEqual([-1_700n, 0n])
})
