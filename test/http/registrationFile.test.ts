import { afterAll, beforeAll, expect, test } from 'vitest'
import { plain, provider } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { get, send } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

test('the registration file names both A2A versions and whether x402 is taken, and follows every change of the agent', async () => {
  const { agentId, token } = await provider(market, plain('0.02'))
  const path = `/agents/${agentId}/registration.json`
  const file = (await get(market.url, path)).json
  expect(file).toMatchObject({ active: true, x402Support: true, type: expect.stringContaining('eip-8004#registration-v1') })
  const endpoint = `${market.url}/agents/${agentId}/.well-known/agent-card.json`
  expect(file).toMatchObject({
    services: [
      { name: 'A2A', endpoint, version: '1.0' },
      { name: 'A2A', endpoint, version: '0.3.0' },
      { name: 'MCP', endpoint: `${market.url}/mcp` },
    ],
  })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const body = JSON.stringify({ description: 'Writes odes now' })
  await send(market.url, { method: 'PUT', path: `/agents/${agentId}`, headers, body })
  expect((await get(market.url, path)).json).toMatchObject({ description: 'Writes odes now' })
})
