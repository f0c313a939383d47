import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../../src/ports.ts'
import type { Outside } from '../../../src/world.ts'
import { burning, newFuse } from '../../fuse.ts'
import { startTestService, type TestService, type User } from '../../service.ts'
import { purchasesFor } from './purchasing.ts'
import { lower, type Seller, startSeller } from './seller.ts'

let fuse = newFuse()
let failures = 0
/** The seller is another process: it goes on when the service dies. */
let outside: Outside
let market: TestService
let user: User
let seller: Seller
beforeAll(async () => {
  market = await startTestService({
    wrap(it) {
      const { store, chain } = it
      outside = it
      fuse = newFuse()
      return { store: burning(store, fuse), chain: burning(failing(chain), fuse) }
    },
    env: { LOG_LEVEL: 'silent' },
  })
  user = await market.user('buyer')
  seller = await startSeller(market, lower(`0x${'5e'.repeat(20)}`), () => outside)
})
afterAll(async () => {
  await market?.stop()
  await seller?.stop()
})

/** A node that does not answer the next looks at a payment. */
const failing = (chain: Chain): Chain => {
  const { authorized } = chain
  if (!authorized) return chain
  const stateOf: typeof authorized.stateOf = async of => {
    failures -= 1
    if (failures >= 0) throw new Error('the node is down')
    return authorized.stateOf(of)
  }
  return { ...chain, authorized: { ...authorized, stateOf } }
}

const { propose, confirm, confirmTwice, ended } = purchasesFor(() => user)
const balanceOf = async (of: string) => market.service.world.deps.chains.get(97)?.usdcBalance(lower(of))

const deaths = Array.from({ length: 16 }, (_, at) => 3 + at * 5)
test.each(deaths)('a service that dies at call %i of a purchase pays it exactly once after its next start', async calls => {
  const [before, proxy] = [(await balanceOf(seller.payTo)) ?? 0n, (await balanceOf(user.proxy)) ?? 0n]
  const proposed = await propose(`${seller.url}/weather`)
  await confirmTwice(proposed, { fuse, calls, restart: market.restart })
  expect(await ended(proposed.purchase_id)).toMatchObject({ state: 'paid', transaction: expect.stringMatching(/^0x/) })
  expect([await balanceOf(seller.payTo), await balanceOf(user.proxy)]).toEqual([before + 20_000n, proxy - 20_000n])
})

test('a purchase whose check fails is checked again within seconds, not after the lease of the failed check', async () => {
  const proposed = await propose(`${seller.url}/weather`)
  failures = 2
  await confirm(proposed, { wait_ms: 0 })
  expect(await ended(proposed.purchase_id)).toMatchObject({ state: 'paid' })
  expect(failures).toBeLessThan(0)
})
