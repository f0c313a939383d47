import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Outside } from '../../../src/world.ts'
import { burning, newFuse } from '../../fuse.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService, until } from '../../service.ts'
import { type Buyer, createBuyer } from './buyer.ts'

let fuse = newFuse()

const wrap = ({ store, chain }: Outside): Outside => {
  fuse = newFuse()
  return { store: burning(store, fuse), chain: burning(chain, fuse) }
}

let market: TestService
let buyer: Buyer
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService({ wrap, env: { LOG_LEVEL: 'silent' } })
  buyer = await createBuyer(market, 'buyer')
  poet = await provider(market, plain('0.01'))
})
afterAll(() => market?.stop())

const held = z.object({ usdc: z.string() })
const balanceOf = async (of: string) => Math.round(Number(held.parse(await buyer.client.get(`/balances/${of}`)).usdc) * 1e6)

const given = z.object({ job_id: z.string() })
/** Runs the workers until the signal aborts. */
const work = async (ending: AbortSignal) => {
  while (!ending.aborted) {
    const job = await ask(market, `/gateway/jobs/poll?agent=${poet.agentId}&timeout=1`).catch(() => undefined)
    const { data } = given.safeParse(job?.body)
    if (data) await poet.deliver(data.job_id, 'An old pond').catch(() => undefined)
  }
}

const deaths = Array.from({ length: 16 }, (_, at) => 2 + at * 6)

test.each(deaths)(
  'a service that crashes at call %i of a paid call settles it at most once, and the same request says which',
  async calls => {
    const [payer, payee] = [await balanceOf(buyer.wallet), await balanceOf(poet.wallet)]
    const ending = new AbortController()
    const before = buyer.requests.length
    const path = `/x402/agents/${poet.handle}/offerings/plain`
    const working = work(ending.signal)
    const unpaid = await fetch(`${market.url}${path}`, { method: 'POST' })
    expect(unpaid.status).toBe(402)
    fuse.left = calls
    const bought = buyer.buy(path, { message: `write ${calls}` }).catch(() => undefined)
    await Promise.race([bought, fuse.burnt])
    fuse.left = 0
    await market.restart()
    await bought
    const paid = buyer.requests.slice(before).find(it => it.headers.has('payment-signature'))
    const answer = paid && (await fetch(paid.clone()))
    ending.abort()
    await working
    const spent = payer - (await balanceOf(buyer.wallet))
    expect((await balanceOf(poet.wallet)) - payee).toBe(spent)
    expect([answer?.status, spent]).toEqual(paid ? [200, 10_000] : [undefined, 0])
    const { run_id } = z.object({ run_id: z.string().optional() }).parse(paid ? await answer?.json() : {})
    if (run_id) expect(await buyer.client.get(`/runs/${run_id}/payments`)).toHaveLength(1)
  },
)

test('a service that reads its chain again from the first block keeps paid calls and earnings', async () => {
  const ending = new AbortController()
  const working = work(ending.signal)
  const { record } = await buyer.buy(`/x402/agents/${poet.handle}/offerings/plain`, { message: 'write' })
  ending.abort()
  await working
  const look = async () => [
    await buyer.client.get(`/runs/${record?.run_id}`),
    await buyer.client.get(`/runs/${record?.run_id}/payments`),
    await ask({ url: market.url, token: poet.token }, `/agents/${poet.agentId}/earnings?starts=2026-01-01T00:00:00Z`),
  ]
  // The run ends right after the answer to the buyer.
  await until('the end of the run', async () =>
    z.looseObject({ state: z.literal('completed') }).safeParse((await look())[0]).success ? true : undefined,
  )
  const before = await look()
  expect(before[1]).toMatchObject([{ protocol: 'x402', transaction: record?.transaction }])
  await market.restart({ rebuild: true })
  expect(await look()).toEqual(before)
})
