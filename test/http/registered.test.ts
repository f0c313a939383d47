import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/domain/json.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get, post, send } from './wire.ts'

// What a registration says besides its offerings is kept, served, and said on chain.

let market: TestService
let owner: User
beforeAll(async () => {
  market = await startTestService()
  owner = await market.user('owner')
})
afterAll(() => market.stop())

const answer = z.object({ agent_id: z.string(), warnings: z.array(z.string()) })
const register = async (handle: string, more: JsonObject = {}) => {
  const { json } = await post(market.url, '/agents/register', { handle, name: handle, ...more }, owner.token)
  return answer.parse(json)
}
const own = (method: string, path: string, body: JsonObject = {}) =>
  send(market.url, {
    ...{ method, path },
    headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.token}` },
    body: JSON.stringify(body),
  })
const change = (handle: string, patch: JsonObject) => own('PUT', `/agents/${handle}`, patch)

const forecast = { id: 1, url: 'https://agent.example/docs', name: 'Docs', type: 'RESOURCE', description: 'How to ask' }
const shown = { ...forecast, id: '1' }
const time = { id: 'time', name: 'Local time', description: 'Tells the time', price_v2: { type: 'fixed', amount: 0.05 } }
const pricingOf = async (handle: string) => (await get(market.url, `/users/${owner.wallet}/agents/${handle}/pricing`)).json

describe('what a registration carries', () => {
  test.each<[string, JsonObject]>([
    ['of the specification', { job_resources: [forecast] }],
    ['of existing kits', { jobResources: [forecast] }],
  ])('in the words %s is served: cost model, resources, metadata', async (_name, resources) => {
    const cost_model = { base_call_fee: 0.002, per_token_fee: 1, custom_fees: { a: 1 } }
    await register('carrier', { ...resources, cost_model, metadata: { via_gateway: true, team: { name: 'blue' } } })
    expect((await get(market.url, '/agents/carrier')).json).toMatchObject({
      cost_model,
      job_resources: [shown],
      metadata: { via_gateway: true, team: { name: 'blue' }, job_offerings: [] },
      price: { amount: 0.002, currency: 'USDC' },
    })
    expect((await get(market.url, '/agents/carrier/resources')).json).toEqual({ resources: [shown] })
    expect((await get(market.url, '/agents/carrier/resources/1')).json).toEqual(shown)
    expect(await get(market.url, '/agents/carrier/resources/2')).toMatchObject({ status: 404 })
  })

  test('its base fee is the price of a paid call, until the owner sets another, and again when the fee changes', async () => {
    const body = { cost_model: { base_call_fee: 0.002, custom_fees: {} }, price: { amount: 0.9, currency: 'USD' } }
    await register('fee', body)
    expect(await pricingOf('fee')).toMatchObject({ amount: 0.002 })
    await own('PUT', `/users/${owner.wallet}/agents/fee/pricing`, { amount: 0.01 })
    await register('fee', { ...body, description: 'new words' })
    expect(await pricingOf('fee')).toMatchObject({ amount: 0.01 })
    await change('fee', { cost_model: { base_call_fee: 0.003 } })
    expect(await pricingOf('fee')).toMatchObject({ amount: 0.003 })
  })

  test('a price counts where there is no cost model', async () => {
    await register('old', { price: { amount: 0.5, currency: 'USD' } })
    expect(await pricingOf('old')).toMatchObject({ amount: 0.5 })
    await register('default', { price: { amount: 0.001, currency: 'USD' }, cost_model: { custom_fees: {} } })
    expect(await pricingOf('default')).toMatchObject({ amount: 0 })
  })

  test('the price of an offering is told in both places', async () => {
    await register('seller', { job_offerings: [time] })
    const both = { price: 0.05, price_v2: { amount: 0.05 } }
    expect((await get(market.url, '/agents/seller')).json).toMatchObject({
      job_offerings: [both],
      metadata: { job_offerings: [both] },
    })
  })
})

describe('the identity on chain', () => {
  const abi = parseAbi(['function tokenURI(uint256) view returns (string)'])
  const uriOf = async (agentId: string) => {
    const [chainId, to, number = ''] = agentId.split(':')
    const data = encodeFunctionData({ abi, functionName: 'tokenURI', args: [BigInt(number)] })
    const asked = { method: 'eth_call', caip2: `eip155:${chainId}`, params: { transaction: { to, data } } }
    const { json } = await post(market.url, '/v1/wallets/me/rpc', asked, owner.token)
    const result = z.object({ data: z.object({ result: z.templateLiteral(['0x', z.string()]) }) }).parse(json).data.result
    return decodeFunctionResult({ abi, functionName: 'tokenURI', data: result })
  }

  test('points at an ERC-8004 registration file, which follows what its owner changes', async () => {
    const { agent_id } = await register('filed', { description: 'First words', job_offerings: [time] })
    const [, registry, number] = agent_id.split(':')
    const uri = new URL(await uriOf(agent_id))
    const file = async () => (await get(market.url, uri.pathname)).json
    expect(await file()).toMatchObject({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: 'filed',
      description: 'First words',
      image: expect.stringMatching(/^http/),
      registrations: [{ agentId: Number(number), agentRegistry: `eip155:97:${registry}` }],
      x402Support: false,
      active: true,
    })
    await change('filed', { description: 'Second words', name: 'Filed', image: 'https://agent.example/a.png' })
    expect(await file()).toMatchObject({ name: 'Filed', description: 'Second words', image: 'https://agent.example/a.png' })
    const { services } = z.object({ services: z.array(z.object({ name: z.string(), endpoint: z.url() })) }).parse(await file())
    expect(services.map(it => it.name)).toEqual(['A2A', 'MCP'])
    const card = await get(market.url, new URL(services[0]?.endpoint ?? '').pathname)
    expect(card.json).toMatchObject({ name: 'Filed', protocolVersion: '0.3.0' })
    await own('DELETE', `/users/${owner.wallet}/agents/filed`)
    expect(await file()).toMatchObject({ active: false })
  })
})

describe('the answer to a registration warns', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['of a misspelt member', { ...time, desciption: 'x' }, /job_offerings\/0: .*desciption.*did you mean description/],
    ['of a member that nobody knows', { ...time, wibbleWobble: 1 }, /wibbleWobble is not known and has no effect/],
    [
      'of a required member without a property',
      { ...time, requirement: { type: 'object', required: ['nope'], properties: { city: { type: 'string' } } } },
      /job_offerings\/0\/requirement: nope is required/,
    ],
  ])('%s', async (_name, offering, words) => {
    expect((await register('warned', { job_offerings: [offering] })).warnings).toEqual([expect.stringMatching(words)])
  })

  test('of an agent without offerings, and of resources that are none', async () => {
    const { warnings } = await register('bare', { job_resources: [{ id: 'x' }] })
    expect(warnings).toEqual([expect.stringMatching(/Without offerings/), expect.stringMatching(/job_resources: 1 of them/)])
  })

  test('of nothing when all is well', async () => {
    expect((await register('well', { job_offerings: [{ ...time, isManagedFund: false }] })).warnings).toEqual([])
  })
})
