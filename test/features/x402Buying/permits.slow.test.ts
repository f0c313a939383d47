import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Outside } from '../../../src/world.ts'
import { readStandins } from '../../chain/standins/compiled.ts'
import { start } from '../../cli/program.ts'
import { burning, newFuse } from '../../fuse.ts'
import { talk } from '../../hire/market.ts'
import type { User } from '../../service.ts'
import { type PermitMarket, startPermitMarket } from '../x402Selling/permitMarket.ts'
import { type PermitSeller, startPermitSeller } from './permitSellers.ts'
import { purchasesFor } from './purchasing.ts'
import { lower } from './seller.ts'

let fuse = newFuse()
const wrap = ({ store, chain }: Outside): Outside => {
  fuse = newFuse()
  return { store: burning(store, fuse), chain: burning(chain, fuse) }
}

const price = parseEther('0.5')
const payTo = lower(`0x${'5e'.repeat(20)}`)
let world: PermitMarket
let seller: PermitSeller
let user: User
const open = async (isSigned: boolean) => {
  world = await startPermitMarket(wrap, isSigned)
  seller = await startPermitSeller(world, payTo, price)
  user = await world.market.user('buyer')
  await world.fund(lower(user.proxy), parseEther('100'))
}
const close = async () => {
  await seller?.stop()
  await world?.stop()
}

const by = () => ({ url: world.market.url, token: user.token })
const { confirm, confirmTwice, ended, ...purchases } = purchasesFor(() => user)
const propose = () => purchases.propose(seller.url)
const money = async () => [await world.balanceOf(lower(user.proxy)), await world.balanceOf(payTo)] as const
/** What the wallet lost and the seller gained since `before`. */
const moved = async (before: readonly [bigint, bigint]) => {
  const [held, earned] = await money()
  return [before[0] - held, earned - before[1]]
}
const approvals = async () => (await world.market.service.world.deps.store.journal(97)).length

describe('on a chain whose USDC has no signed transfers', () => {
  beforeAll(() => open(false))
  afterAll(close)

  test('a standard seller with a price by Permit2 is paid after the yes: exactly its price was approved, and nothing is left of it', async () => {
    const before = await money()
    const proposed = await propose()
    expect(proposed).toMatchObject({ state: 'proposed', price: '0.5', transfer_method: 'permit2', payee: payTo })
    expect([await world.allowance(lower(user.proxy)), await approvals()]).toEqual([0n, expect.any(Number)])
    await confirm(proposed)
    const paid = await ended(proposed.purchase_id)
    expect(paid).toMatchObject({
      state: 'paid',
      status: 200,
      content: '{"weather":"sunny"}',
      transaction: expect.stringMatching(/^0x/),
    })
    expect(await moved(before)).toEqual([price, price])
    expect(await world.allowance(lower(user.proxy))).toBe(0n)
    const { store } = world.market.service.world.deps
    expect(await store.intent(`purchase:${proposed.purchase_id}:approve`)).toMatchObject({ state: 'confirmed' })
    expect((await store.ledger({ runId: proposed.purchase_id })).map(it => it.amount)).toEqual([-price, price])
    await confirm(proposed)
    expect(await moved(before)).toEqual([price, price])
  })

  test('purchases by Permit2 that are under way at once are each paid once, out of one approval for all of them', async () => {
    const before = await money()
    const proposed = [await propose(), await propose(), await propose()]
    await Promise.all(proposed.map(it => confirm(it, { wait_ms: 0 })))
    const paid = await Promise.all(proposed.map(it => ended(it.purchase_id)))
    expect(paid.map(it => it.state)).toEqual(['paid', 'paid', 'paid'])
    expect(new Set(paid.map(it => it.transaction)).size).toBe(3)
    expect(await moved(before)).toEqual([3n * price, 3n * price])
  })

  test('a lost answer of the seller charges once', async () => {
    const before = await money()
    const settled = seller.settled()
    seller.drop()
    const proposed = await propose()
    await confirm(proposed, { wait_ms: 0 })
    expect(await ended(proposed.purchase_id)).toMatchObject({ state: 'paid' })
    expect([await moved(before), seller.settled() - settled]).toEqual([[price, price], 1])
  })

  test('a purchase that the seller settles through another contract is paid, and names the transaction of its transfer', async () => {
    const standin = await readStandins(['Payments.sol'])
    seller.settleThrough(await world.deploy(standin('Bundler')))
    const hashes: (string | null)[] = []
    for (const _ of [1, 2]) {
      const before = await money()
      const proposed = await propose()
      await confirm(proposed, { wait_ms: 0 })
      const paid = await ended(proposed.purchase_id)
      expect([paid.state, await moved(before)]).toEqual(['paid', [price, price]])
      const booked = await world.market.service.world.deps.store.ledger({ runId: proposed.purchase_id })
      expect(booked.map(it => [it.txHash, it.amount])).toEqual([
        [paid.transaction, -price],
        [paid.transaction, price],
      ])
      hashes.push(paid.transaction)
    }
    seller.settleThrough(undefined)
    expect(new Set(hashes).size).toBe(2)
  })

  test('the butler and market pay show the approval, and pay after the yes', async () => {
    const before = await money()
    const { say } = talk(user)
    expect((await say(`pay for ${seller.url}`)).content).toMatch(
      /Approval {3}your wallet first lets Permit2 \(0x000000000022d473030f116ddee9f6b43ac78ba3\) move 0\.5 USDC/,
    )
    expect((await say('yes')).content).toContain('weather: sunny')
    const env = { SERVICE_ENDPOINT: by().url, XDG_CONFIG_HOME: world.market.dir, SERVICE_PROXY_AUTH: user.token, AGENT_ID: '' }
    const { code, err, out } = await start(['pay', seller.url, '--json', '--yes', '--max', '0.5'], { env }).ended
    expect([code, err]).toEqual([0, expect.stringContaining('approves Permit2 for 0.5 USDC')])
    expect(out).toContain('{\\"weather\\":\\"sunny\\"}')
    expect(await moved(before)).toEqual([2n * price, 2n * price])
  }, 60_000)

  test.each([4, 9, 14, 19, 25, 32, 40, 52, 70])(
    'a service that dies at call %i of a purchase by Permit2 pays it exactly once after its next start',
    async calls => {
      const before = await money()
      const proposed = await propose()
      await confirmTwice(proposed, { fuse, calls, restart: world.market.restart })
      expect(await ended(proposed.purchase_id)).toMatchObject({ state: 'paid' })
      expect([await moved(before), await world.allowance(lower(user.proxy))]).toEqual([[price, price], 0n])
    },
  )
})

describe('on a chain whose USDC has signed transfers', () => {
  beforeAll(() => open(true))
  afterAll(close)

  test('a seller that takes Permit2 only is paid by it', async () => {
    const before = await money()
    const proposed = await propose()
    expect(proposed).toMatchObject({ transfer_method: 'permit2' })
    await confirm(proposed)
    expect(await ended(proposed.purchase_id)).toMatchObject({ state: 'paid', status: 200 })
    expect([await moved(before), await world.allowance(lower(user.proxy))]).toEqual([[price, price], 0n])
  })
})
