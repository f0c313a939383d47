import { ClientFactory } from '@a2a-js/sdk/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Buyer, createBuyer } from '../features/x402Selling/buyer.ts'
import { plain, provider } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { toMessage } from './toMessage.ts'

let market: TestService
let buyer: Buyer
beforeAll(async () => {
  market = await startTestService()
  buyer = await createBuyer(market, 'buyer')
})
afterAll(() => market?.stop())

const sold = z.object({ x402: z.array(z.string()), hire: z.object({ a2a: z.string(), http: z.string(), page: z.string() }) })
const pathOf = (url: string) => url.slice(market.url.length)

test('a stock A2A client of an agent that charges is told where it is bought, and both addresses lead to a purchase and a hire', async () => {
  const poet = await provider(market, plain('0.2'), 'poet')
  const pricing = { amount: '0.1' }
  const owner = await market.user('owner-poet')
  await owner.client.put(`/users/${owner.wallet}/agents/${poet.agentId}/pricing`, pricing)

  const client = await new ClientFactory().createFromUrl(`${market.url}/agents/poet/.well-known/agent-card.json`, '')
  const { capabilities } = await client.getAgentCard()
  const [extension] = capabilities?.extensions ?? []
  const ways = sold.parse(extension?.params)
  expect(ways.x402).toEqual([
    `${market.url}/x402/agents/${poet.agentId}`,
    `${market.url}/x402/agents/${poet.agentId}/offerings/plain`,
  ])

  const request = { tenant: '', message: toMessage('write'), configuration: undefined, metadata: undefined }
  await expect(client.sendMessage(request)).rejects.toThrow(
    `Buy it by x402: POST ${ways.x402[0]}. Hire it by the butler: ${market.url}/a2a`,
  )

  for (const [at, price] of [
    [0, '0.1'],
    [1, '0.2'],
  ] as const) {
    const buying = buyer.buy(pathOf(ways.x402[at] ?? ''), { message: 'write' })
    await poet.deliver((await poet.take()).job_id, 'An old pond')
    expect(await buying).toMatchObject({ status: 200, record: { amount: price, content: 'An old pond' } })
  }

  const card = await new ClientFactory().createFromUrl(market.url)
  const butler = await card.sendMessage({ ...request, message: toMessage('hire agent poet to write a haiku') })
  expect(JSON.stringify(butler)).toContain('0.2')
  expect((await fetch(ways.hire.page)).status).toBe(200)
})

test('POST /invoke/{agent} of an agent that charges each call answers 402 with its price, which a stock x402 client pays there', async () => {
  const owner = await market.user('owner-oracle')
  const body = { handle: 'oracle', name: 'Oracle', chain_id: 97, via_gateway: true, metadata: { paid_only: true } }
  const { agent_id } = z
    .object({ agent_id: z.string() })
    .parse(await owner.client.post('/agents/register', { ...body, cost_model: { base_call_fee: 0.05, custom_fees: {} } }))
  const own = { authorization: `Bearer ${owner.token}` }
  const buying = buyer.buy('/invoke/oracle', { message: 'what is next?' })
  const polled = await fetch(`${market.url}/gateway/jobs/poll?agent=${agent_id}&timeout=10`, { headers: own })
  const { job_id } = z.object({ job_id: z.string() }).parse(await polled.json())
  await fetch(`${market.url}/gateway/jobs/complete`, {
    ...{ method: 'POST', headers: { ...own, 'content-type': 'application/json' } },
    body: JSON.stringify({ job_id, agent_id, status: 'completed', result: { response: 'rain' } }),
  })
  expect(await buying).toMatchObject({ status: 200, body: { content: 'rain' }, settled: { success: true } })
})

test('the card of an agent that sells nothing by x402 names no place to buy it', async () => {
  await provider(market, plain('0'), 'free-poet')
  const card: unknown = await (await fetch(`${market.url}/agents/free-poet/.well-known/agent-card.json`)).json()
  expect(card).toMatchObject({ capabilities: { streaming: true } })
  expect(JSON.stringify(card)).not.toContain('x402')
})
