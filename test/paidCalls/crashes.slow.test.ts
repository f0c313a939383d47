import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Outside } from '../../src/world.ts'
import { plain, provider } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { type Buyer, createBuyer } from './buyer.ts'

/** Calls of store and chain that succeed before all later ones fail, as for a process that has died; undefined fails none. */
let left: number | undefined

const burning = <T extends object>(port: T): T =>
  new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function' || name === 'close') return member
      return (...given: unknown[]) => {
        if (left !== undefined && --left < 0) return Promise.reject(new Error('the process is dead'))
        return Reflect.apply(member, target, given)
      }
    },
  })

const encoders = new Set(['submit', 'complete', 'reject', 'claimRefund', 'topUp', 'faucet', 'withdraw', 'giveFeedback'])
const wrap = ({ store, chain }: Outside): Outside => ({
  store: burning(store),
  chain: new Proxy(burning(chain), {
    get: (target, name, receiver) => Reflect.get(encoders.has(String(name)) ? chain : target, name, receiver),
  }),
})

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

/** Works on whatever comes, until the end. */
const work = async (ending: AbortSignal) => {
  while (!ending.aborted) {
    const job = await poet.take().catch(() => undefined)
    if (job) await poet.deliver(job.job_id, 'An old pond').catch(() => undefined)
  }
}

const deaths = Array.from({ length: 30 }, (_, at) => 1 + at * 3)

test.each(deaths)(
  'a service that dies at call %i of a paid call settles it once or never, and the same request tells which',
  async calls => {
    const [payer, payee] = [await balanceOf(buyer.wallet), await balanceOf(poet.wallet)]
    const ending = new AbortController()
    const before = buyer.requests.length
    const path = `/x402/agents/${poet.handle}/offerings/plain`
    left = undefined
    const working = work(ending.signal)
    const unpaid = await fetch(`${market.url}${path}`, { method: 'POST' })
    expect(unpaid.status).toBe(402)
    left = calls
    const bought = buyer.buy(path, { message: `write ${calls}` }).catch(() => undefined)
    await Promise.race([bought, new Promise(resolve => setTimeout(resolve, 400))])
    left = 0
    await market.restart()
    left = undefined
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
