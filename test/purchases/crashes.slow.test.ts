import { afterAll, beforeAll, expect, test } from 'vitest'
import { purchaseRecord } from '../../src/operations/purchases/purchaseRecord.ts'
import { burning, newFuse } from '../paidCalls/fuse.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { lower, type Seller, startSeller } from './seller.ts'

let fuse = newFuse()
let market: TestService
let user: User
let seller: Seller
beforeAll(async () => {
  const env = { LOG_LEVEL: 'silent' }
  market = await startTestService({
    env,
    wrap({ store, chain }) {
      fuse = newFuse()
      return { store: burning(store, fuse), chain: burning(chain, fuse) }
    },
  })
  user = await market.user('user')
  seller = await startSeller(market, lower(`0x${'5e'.repeat(20)}`))
})
afterAll(async () => {
  await seller?.stop()
  await market?.stop()
})

const balanceOf = async (of: string) => (await market.service.world.deps.chains.get(97)?.usdcBalance(lower(of))) ?? 0n
const deaths = Array.from({ length: 16 }, (_, at) => 1 + at * 2)

test.each(deaths)('a service that crashes at call %i of a purchase pays for it at most once, and says so', async calls => {
  const [payer, payee] = [await balanceOf(user.proxy), await balanceOf(seller.payTo)]
  const proposed = purchaseRecord.parse(await user.client.post('/v1/purchases', { url: `${seller.url}/weather` }))
  const confirm = () =>
    user.client.post(`/v1/purchases/${proposed.purchase_id}/confirm`, { digest: proposed.digest, decision: 'yes' })
  fuse.left = calls
  await Promise.race([confirm().catch(() => undefined), fuse.burnt])
  fuse.left = 0
  await market.restart()
  await confirm()
  const { state } = await until('the end of the purchase', async () => {
    const it = purchaseRecord.parse(await user.client.get(`/v1/purchases/${proposed.purchase_id}`))
    return it.state === 'paying' ? undefined : it
  })
  expect([state, payer - (await balanceOf(user.proxy)), (await balanceOf(seller.payTo)) - payee]).toEqual([
    'paid',
    20_000n,
    20_000n,
  ])
  expect(await user.client.get(`/runs/${proposed.purchase_id}/payments`)).toHaveLength(1)
})
