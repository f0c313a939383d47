import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purchasesOf } from '../../../src/features/x402Buying/ports.ts'
import { bookPurchase } from '../../../src/features/x402Buying/purchasePayments.ts'
import { withoutReversed } from '../../../src/operations/ledger/bookings.ts'
import type { PurchaseRecord } from '../../../src/records/purchase.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { purchasesFor } from './purchasing.ts'
import { lower, type Seller, startSeller } from './seller.ts'

let market: TestService
let user: User
let seller: Seller
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('buyer')
  seller = await startSeller(market, lower(`0x${'5e'.repeat(20)}`))
})
afterAll(async () => {
  await seller?.stop()
  await market?.stop()
})

const store = () => market.service.world.deps.store
const { read, ended, ...purchases } = purchasesFor(() => user)
const propose = () => purchases.propose(`${seller.url}/weather`)
/** What stands in the books for a purchase. */
const booked = async ({ purchase_id: runId }: PurchaseRecord) =>
  withoutReversed(await store().ledger({ runId })).map(it => [it.amount, it.txHash])

test('after a second reading of the chain, a purchase is paid if its transfer is on chain, and unpaid otherwise', async () => {
  const [bought, expired] = [await propose(), await propose()]
  const yes = { digest: bought.digest, decision: 'yes' }
  await user.client.post(`/v1/purchases/${bought.purchase_id}/confirm`, yes)
  const paid = await ended(bought.purchase_id)
  expect(paid).toMatchObject({ state: 'paid', transaction: expect.stringMatching(/^0x/) })
  const right = [
    [-20_000n, paid.transaction],
    [20_000n, paid.transaction],
  ]
  expect(await booked(bought)).toEqual(right)
  const over = { digest: expired.digest, nonce: generatePrivateKey(), validBefore: 1_700_000_000, mandateId: undefined }
  await purchasesOf(store()).agreePurchase(expired.purchase_id, over)
  expect(await ended(expired.purchase_id)).toMatchObject({ state: 'unpaid' })

  // The rows say the opposite of the chain.
  const of = { chainId: 97, jobId: undefined }
  const entries = [
    { account: `wallet:${lower(user.proxy)}`, amount: -20_000n },
    { account: `wallet:${seller.payTo}`, amount: 20_000n },
  ]
  await store().atomically(async tables => {
    const { hash } = (await purchasesOf(tables).purchase(bought.purchase_id)) ?? {}
    const key = `x402:${bought.purchase_id}:purchase`
    const back = entries.map(it => ({ ...it, amount: -it.amount }))
    await purchasesOf(tables).reopenPurchase(bought.purchase_id)
    await purchasesOf(tables).endPurchase(bought.purchase_id, { state: 'unpaid', hash: undefined, reason: '' })
    await tables.post({ ...of, key: `${key}:reversed`, runId: bought.purchase_id, txHash: hash, entries: back })
    await purchasesOf(tables).reopenPurchase(expired.purchase_id)
    await purchasesOf(tables).endPurchase(expired.purchase_id, { state: 'paid', hash, reason: '' })
    await tables.post({ ...of, key: `x402:${expired.purchase_id}:purchase`, runId: expired.purchase_id, txHash: hash, entries })
  })
  expect([(await read(bought.purchase_id)).state, await booked(bought)]).toEqual(['unpaid', []])
  expect([(await read(expired.purchase_id)).state, await booked(expired)]).toEqual(['paid', right])

  await market.restart({ rebuild: true })
  expect(await ended(bought.purchase_id)).toMatchObject({ state: 'paid', transaction: paid.transaction })
  expect(await ended(expired.purchase_id)).toMatchObject({ state: 'unpaid', transaction: null })
  expect([await booked(bought), await booked(expired)]).toEqual([right, []])
  expect(await user.client.get(`/runs/${bought.purchase_id}/payments`)).toMatchObject([{ transaction: paid.transaction }])
})

test('a purchase whose transfer the chain has lost is followed again, and its posting names what paid it in the end', async () => {
  const bought = await propose()
  seller.fail(true)
  await user.client.post(`/v1/purchases/${bought.purchase_id}/confirm`, { digest: bought.digest, decision: 'yes' })
  // The rows name a transaction that the chain does not have, and the authorization is unused.
  const hash = `0x${'1d'.repeat(32)}` as const
  await store().atomically(async tables => {
    const lost = await purchasesOf(tables).endPurchase(bought.purchase_id, { state: 'paid', hash, reason: '' })
    const chain = market.service.world.deps.chains.get(97)
    if (lost && chain) await bookPurchase(tables, { purchase: lost, chain, hash })
  })
  expect(await booked(bought)).toMatchObject([
    [-20_000n, hash],
    [20_000n, hash],
  ])
  seller.fail(false)
  await market.restart({ rebuild: true })
  const { transaction } = await until('the transfer', async () => {
    const it = await read(bought.purchase_id)
    return it.state === 'paid' && it.transaction !== hash ? it : undefined
  })
  expect(await booked(bought)).toEqual([
    [-20_000n, transaction],
    [20_000n, transaction],
  ])
})
