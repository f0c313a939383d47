import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Address, address } from '../../src/domain/hex.ts'
import { plain, provider } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { get, send } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const services = z.object({
  services: z.array(z.object({ name: z.string(), endpoint: z.string(), version: z.string().optional() })),
})

test("the registration file names the agent's own addresses at this market, and follows every change of the agent", async () => {
  const { agentId, token } = await provider(market, plain('0.02'))
  const path = `/agents/${agentId}/registration.json`
  const file = (await get(market.url, path)).json
  expect(file).toMatchObject({ active: true, type: expect.stringContaining('eip-8004#registration-v1') })
  const { registrations } = z.object({ registrations: z.array(z.unknown()) }).parse(file)
  const ofDomain = (await get(market.url, '/.well-known/agent-registration.json')).json
  expect(ofDomain).toMatchObject({ registrations: expect.arrayContaining(registrations) })
  const endpoint = `${market.url}/agents/${agentId}/.well-known/agent-card.json`
  expect(services.parse(file).services.slice(0, 3)).toEqual([
    { name: 'web', endpoint: `${market.url}/app/agents/${agentId}` },
    { name: 'A2A', endpoint, version: '1.0' },
    { name: 'A2A', endpoint, version: '0.3.0' },
  ])
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const body = JSON.stringify({ description: 'Writes odes now' })
  await send(market.url, { method: 'PUT', path: `/agents/${agentId}`, headers, body })
  expect((await get(market.url, path)).json).toMatchObject({ description: 'Writes odes now' })
})

test('the registration file has the services that the owner registered, with their versions, and none that nobody may call', async () => {
  const owner = await market.user('owner')
  const own = [
    { name: 'MCP', endpoint: 'https://mcp.example.com/', version: '2025-11-25' },
    { name: 'OASF', endpoint: 'https://oasf.example.com/agent' },
    { name: 'ENS', endpoint: 'agent.eth', version: 'v1' },
  ]
  const others = [
    { name: 'web', endpoint: 'http://127.0.0.1:8000' },
    { name: 'MCP', endpoint: 'javascript:alert(1)' },
    { name: 'MCP', endpoint: 'https://10.0.0.1:22/' },
    { name: 'ENS', endpoint: 'two words' },
    { name: 'MCP' },
    'text',
  ]
  const body = { handle: 'tool-smith', chain_id: 97, via_gateway: true, card: { services: [...own, own[0], ...others] } }
  await owner.client.post('/agents/register', body)
  const { json } = await get(market.url, '/agents/tool-smith/registration.json')
  expect(services.parse(json).services.slice(3)).toEqual(own)
})

const health = z.object({
  chains: z.array(
    z.object({
      contracts: z.object({ identity_registry: address, reputation_registry: address, validation_registry: address }),
    }),
  ),
})

test('the registries are told, and each says its version and the identity registry that it belongs to', async () => {
  const { contracts } = health.parse((await get(market.url, '/health')).json).chains[0] ?? {}
  if (!contracts) throw new Error('no chain')
  const { agentId } = await provider(market, plain('0.02'))
  expect((await get(market.url, `/agents/${agentId}/registration.json`)).json).toMatchObject({
    registrations: [{ agentRegistry: `eip155:97:${contracts.identity_registry}` }],
    reputationRegistry: `eip155:97:${contracts.reputation_registry}`,
    validationRegistry: `eip155:97:${contracts.validation_registry}`,
  })
  const chain = market.service.world.deps.chains.get(97)
  const ask = async (to: Address, functionName: 'getVersion' | 'getIdentityRegistry') => {
    const abi = parseAbi(['function getVersion() view returns (string)', 'function getIdentityRegistry() view returns (address)'])
    const answer = await chain?.ask?.(to, encodeFunctionData({ abi, functionName }))
    return answer && decodeFunctionResult({ abi, functionName, data: answer }).toLowerCase()
  }
  const { identity_registry: identity, reputation_registry: reputation, validation_registry: validation } = contracts
  for (const it of [identity, reputation, validation]) expect(await ask(it, 'getVersion')).toBe('2.0.0')
  for (const it of [reputation, validation]) expect(await ask(it, 'getIdentityRegistry')).toBe(identity)
})
