import { extractDiscoveryInfo } from '@x402/extensions/bazaar'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { toPaymentHeader } from './buyer.ts'
import { price, type SignedMarket, startSignedMarket } from './signedMarket.ts'
import { type Manner, type StockFacilitator, startStockFacilitator } from './stockFacilitator.ts'

// The operator names a facilitator. What it says counts for nothing, and the chain shows what was paid.

let world: SignedMarket
let facilitator: StockFacilitator
beforeAll(async () => {
  world = await startSignedMarket(undefined, async ({ external }) => {
    const account = privateKeyToAccount(generatePrivateKey())
    await external.client.setBalance({ address: account.address, value: parseEther('10') })
    facilitator = await startStockFacilitator(external, account)
    return { FACILITATOR_URL_97: facilitator.url, ALLOW_PRIVATE_ENDPOINTS: 'true' }
  })
})
afterAll(async () => {
  await world?.stop()
  await facilitator?.stop()
})
beforeEach(async () => {
  for (const list of [facilitator.seen, facilitator.sent]) list.length = 0
  // A facilitator that failed is left alone for a minute. A restart forgets that.
  await world.market.restart()
})

const settledCall = z.object({ state: z.literal('settled'), content: z.string(), transaction: z.string() })
const paths = () => facilitator.seen.map(it => it.path)

/** Buys once, and returns the answer with what the agent got and who sent the transfer. */
const buy = async (manner: Manner) => {
  facilitator.behave(manner)
  const buyer = await world.payer()
  const signed = await buyer.sign()
  const before = await world.held(world.agentWallet)
  const answer = world.pay(signed)
  const { job_id } = await world.poet.take()
  expect(facilitator.seen).toEqual([])
  await world.poet.deliver(job_id, 'An old silent pond')
  const { status, body } = await answer
  expect({ status, body }).toMatchObject({ status: 200, body: { content: 'An old silent pond' } })
  const { transaction } = settledCall.parse(body)
  const hash = z.custom<`0x${string}`>().parse(transaction)
  const { from, status: mined } = await world.client.getTransactionReceipt({ hash })
  expect(mined).toBe('success')
  const treasury = world.market.service.world.deps.chains.get(97)?.treasury
  const gained = async () => (await world.held(world.agentWallet)) - before
  return { signed, transaction, isOwn: from.toLowerCase() === treasury, gained }
}

test('the stock facilitator verifies and settles a call after its work, and the receipt names its transaction', async () => {
  const { isOwn, transaction, gained } = await buy('good')
  expect({ isOwn, paths: paths(), gained: await gained() }).toEqual({
    isOwn: false,
    paths: ['/verify', '/settle'],
    gained: price,
  })
  expect(facilitator.sent).toEqual([transaction])
  // By this, a catalogue lists what its facilitator settles.
  const [{ body } = { body: undefined }] = facilitator.seen
  const found = extractDiscoveryInfo(body?.paymentPayload, body?.paymentRequirements)
  expect(found).toMatchObject({ method: 'POST', resourceUrl: expect.stringContaining('/offerings/plain') })
})

test.each<Manner>(['lie', 'refuse', 'die'])(
  'where the facilitator does nothing (%s), this service settles the call, once',
  async manner => {
    const { isOwn, gained } = await buy(manner)
    expect({ isOwn, sent: facilitator.sent, gained: await gained() }).toEqual({ isOwn: true, sent: [], gained: price })
  },
)

test.each<Manner>(['deny', 'die after'])(
  'where the facilitator settles and does not say so (%s), its transfer is the payment, and there is no second one',
  async manner => {
    const { isOwn, transaction, gained } = await buy(manner)
    expect({ isOwn, gained: await gained() }).toEqual({ isOwn: false, gained: price })
    expect(facilitator.sent).toEqual([transaction])
  },
)

test('a facilitator that is too slow settles nothing twice, and is not asked for the next call', {
  timeout: 60_000,
}, async () => {
  const { isOwn, gained, signed } = await buy('slow')
  expect(isOwn).toBe(true)
  await facilitator.sendLate()
  expect({ sent: facilitator.sent, gained: await gained() }).toEqual({ sent: [], gained: price })
  expect((await world.pay(signed)).status).toBe(200)
  facilitator.seen.length = 0
  expect(await buy('good')).toMatchObject({ isOwn: true })
  expect(paths()).toEqual([])
})

test('a call that the process leaves unsettled is settled by the next one, which asks the facilitator again', async () => {
  facilitator.behave('slow')
  const buyer = await world.payer()
  const signed = await buyer.sign()
  const answer = world.pay(signed).catch(() => undefined)
  const { job_id } = await world.poet.take()
  await world.poet.deliver(job_id, 'An old silent pond')
  await expect.poll(paths).toContain('/settle')
  facilitator.behave('good')
  await world.market.restart()
  await answer
  const path = `${world.market.url}/x402/agents/${world.poet.handle}/offerings/plain`
  const headers = { 'content-type': 'application/json', 'payment-signature': toPaymentHeader(signed) }
  const again = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ message: 'write' }) })
  expect(settledCall.parse(await again.json()).transaction).toBe(facilitator.sent[0])
})
