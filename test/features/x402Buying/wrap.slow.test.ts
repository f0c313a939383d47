import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/cli/client.ts'
import { createBuyer } from '../../../src/cli/market/paying.ts'
import { parseJson } from '../../../src/domain/json.ts'
import { openX402 } from '../../../src/kit/wrap/x402.ts'
import { purchaseRecord } from '../../../src/records/purchase.ts'
import { start } from '../../cli/program.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { lower, type Seller, startSeller } from './seller.ts'

let market: TestService
let owner: User
let seller: Seller
beforeAll(async () => {
  market = await startTestService()
  owner = await market.user('owner')
  seller = await startSeller(market, lower(`0x${'5e'.repeat(20)}`))
})
afterAll(async () => {
  await seller?.stop()
  await market?.stop()
})

const balanceOf = async (of: string) => (await market.service.world.deps.chains.get(97)?.usdcBalance(lower(of))) ?? 0n
const wrap = (path: string, ...more: string[]) => {
  const env = { SERVICE_ENDPOINT: market.url, XDG_CONFIG_HOME: market.dir, SERVICE_PROXY_AUTH: owner.token, AGENT_ID: '' }
  const file = join(market.dir, `prices${path.replaceAll('/', '-')}.json`)
  return start(['agent', 'wrap', 'x402', `${seller.url}${path}`, '--file', file, '--json', ...more], { env })
}
const open = (path: string, isGet: boolean) =>
  openX402({
    ...{ url: `${seller.url}${path}`, isGet, name: undefined, description: undefined, requirement: {}, deliverable: {} },
    buyer: createBuyer(createClient({ url: market.url, token: owner.token })),
  })
const signal = AbortSignal.timeout(60_000)
const job = (id: string, price: number) => ({ id, price })

test('market agent wrap x402 sells a stock x402 resource, which each paid job buys from the wallet of the owner', async () => {
  const { child, ended } = wrap('/weather', '--get', '--price', '0.05', '--handle', 'forecast')
  onTestFinished(() => void child.kill())
  const user = await market.user('user')
  const url = `${market.url}/x402/agents/forecast/offerings/weather`
  const proposed = await until('the offering', () =>
    user.client.post('/v1/purchases', { url, body: { message: 'today' } }).then(purchaseRecord.parse, () => undefined),
  )
  expect(proposed).toMatchObject({ state: 'proposed', price: '0.05' })
  const [before, held] = [await balanceOf(seller.payTo), await balanceOf(owner.proxy)]
  const path = `/v1/purchases/${proposed.purchase_id}/confirm`
  const paid = await user.client.post(path, { digest: proposed.digest, decision: 'yes' })
  const { content } = purchaseRecord.parse(paid)
  expect(parseJson(content)).toMatchObject({ state: 'settled', deliverable: { weather: 'sunny' }, amount: '0.05' })
  expect(await balanceOf(seller.payTo)).toBe(before + 20_000n)
  expect(await balanceOf(owner.proxy)).toBe(held - 20_000n)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining('"handle":"forecast"') })
}, 60_000)

test('a job that is delivered again gets the answer that was bought, and nothing is bought twice', async () => {
  const source = await open('/echo', false)
  const settled = seller.settled()
  const asked = { id: 'echo', input: { say: 'hi' }, text: '', signal, job: job('job-again', 0.02) }
  const answers = [await source.call(asked), ...(await Promise.all([source.call(asked), source.call(asked)]))]
  expect(answers).toEqual([1, 2, 3].map(() => ({ echo: { say: 'hi' } })))
  expect(seller.settled()).toBe(settled + 1)
})

test('a paid resource is not sold below its cost, and a job never pays more for it than the job is paid', async () => {
  const { code, out, err } = await wrap('/echo', '--price', '0.019', '--dry-run').ended
  expect([code, err.includes('its price of 0.019 USDC is below its cost of 0.02 USDC')]).toEqual([1, true])
  expect(parseJson(out.trim())).toMatchObject({ error: 'None of it can be sold.' })

  const settled = seller.settled()
  const source = await open('/weather', true)
  const call = (of: ReturnType<typeof job> | undefined) =>
    source.call({ id: 'weather', input: {}, text: '', signal, ...(of && { job: of }) })
  seller.ask(30_000n)
  onTestFinished(() => seller.ask(20_000n))
  await expect(call(job('job-dearer', 0.02))).rejects.toThrow('It costs 0.03 USDC, and max is 0.02.')
  await expect(call(undefined)).rejects.toThrow('works for paid jobs only')
  expect(seller.settled()).toBe(settled)
  await expect(call(job('job-enough', 0.03))).resolves.toEqual({ weather: 'sunny' })
})

test('reading the price pays nothing, also where a mandate covers it', async () => {
  const rich = await market.user('rich')
  await rich.client.post('/v1/mandates', { max_per_job: '1', max_per_period: '1', period: 'day' })
  const settled = seller.settled()
  const buyer = createBuyer(createClient({ url: market.url, token: rich.token }))
  expect(await buyer.quote({ url: `${seller.url}/weather`, method: 'GET' })).toEqual({
    price: '0.02',
    description: 'Weather of today',
  })
  expect(await rich.client.get('/v1/purchases')).toMatchObject({ purchases: [{ state: 'declined', mandate_id: null }] })
  expect(seller.settled()).toBe(settled)
})
