import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/domain/json.ts'
import { plain, provider, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get, post, send } from './wire.ts'

// The members of a registration besides its offerings are stored, served, and referenced on chain.

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

describe('the members of a registration', () => {
  test.each<[string, JsonObject]>([
    ['of the specification', { job_resources: [forecast] }],
    ['of existing kits', { jobResources: [forecast] }],
  ])('are accepted under the names %s: cost model, resources, metadata', async (_name, resources) => {
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

  test('include a base fee that is the price of a paid call until the owner sets another, and again when the fee changes', async () => {
    const body = { cost_model: { base_call_fee: 0.002, custom_fees: {} }, price: { amount: 0.9, currency: 'USD' } }
    await register('fee', body)
    expect(await pricingOf('fee')).toMatchObject({ amount: 0.002 })
    await own('PUT', `/users/${owner.wallet}/agents/fee/pricing`, { amount: 0.01 })
    await register('fee', { ...body, description: 'new words' })
    expect(await pricingOf('fee')).toMatchObject({ amount: 0.01 })
    await change('fee', { cost_model: { base_call_fee: 0.003 } })
    expect(await pricingOf('fee')).toMatchObject({ amount: 0.003 })
  })

  test('include a price that counts when there is no cost model', async () => {
    await register('old', { price: { amount: 0.5, currency: 'USD' } })
    expect(await pricingOf('old')).toMatchObject({ amount: 0.5 })
    await register('default', { price: { amount: 0.001, currency: 'USD' }, cost_model: { custom_fees: {} } })
    expect(await pricingOf('default')).toMatchObject({ amount: 0 })
  })

  test('include the price of an offering, which is shown in both places', async () => {
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

  test('points to an ERC-8004 registration file, which follows the changes of its owner', async () => {
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
      x402Support: true,
      active: true,
    })
    await change('filed', { description: 'Second words', name: 'Filed', image: 'https://agent.example/a.png' })
    expect(await file()).toMatchObject({ name: 'Filed', description: 'Second words', image: 'https://agent.example/a.png' })
    const { services } = z.object({ services: z.array(z.object({ name: z.string(), endpoint: z.url() })) }).parse(await file())
    expect(services.map(it => it.name)).toEqual(['web', 'A2A', 'A2A', 'x402'])
    const card = await get(market.url, new URL(services[1]?.endpoint ?? '').pathname)
    expect(card.json).toMatchObject({ name: 'Filed (filed)', protocolVersion: '0.3.0' })
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

  test('of an agent without offerings, and of resources that are invalid', async () => {
    const { warnings } = await register('bare', { job_resources: [{ id: 'x' }] })
    expect(warnings).toEqual([expect.stringMatching(/Without offerings/), expect.stringMatching(/job_resources: 1 of them/)])
  })

  test('of nothing when everything is valid', async () => {
    expect((await register('well', { job_offerings: [{ ...time, isManagedFund: false }] })).warnings).toEqual([])
  })
})

describe('schemas that ordinary generators write', () => {
  /** As two common generators write a class with optional, nested and constant members. */
  const deliverable: JsonObject = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      Stop: { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern: '^[A-Z]' } }, title: 'Stop' },
    },
    type: 'object',
    required: ['kind', 'stops'],
    properties: {
      kind: { const: 'route' },
      stops: { type: 'array', items: { $ref: '#/$defs/Stop' } },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      cost: { oneOf: [{ type: 'number', exclusiveMinimum: 0 }, { const: 'free' }] },
      extra: { type: 'object', additionalProperties: { type: 'integer' } },
    },
  }
  const good = { kind: 'route', stops: [{ name: 'Oslo' }], note: null, cost: 'free', extra: { a: 1 } }

  test.each<[string, JsonObject, boolean]>([
    ['all of it', good, true],
    ['a pattern that does not match, which nobody checks', { ...good, stops: [{ name: 'oslo' }] }, true],
    ['another constant', { ...good, kind: 'walk' }, false],
    ['a part that breaks its own schema', { ...good, stops: [{}] }, false],
    ['neither text nor null', { ...good, note: 1 }, false],
    ['neither of two', { ...good, cost: 0 }, false],
    ['a member of another type', { ...good, extra: { a: 'x' } }, false],
  ])('are accepted, and a deliverable is validated by them: %s', async (_name, value, pass) => {
    const seller = await provider(market, plain('0', { slaMinutes: 10, deliverable }))
    const { say } = talk(owner)
    await say(`Hire agent ${seller.handle} to write a haiku`)
    await say('yes', 0)
    const { job_id } = await seller.take()
    const answered = await post(market.url, '/gateway/jobs/complete', { job_id, deliverable: value })
    expect(answered.json).toMatchObject({ evaluation: { pass } })
  })

  test.each<[string, JsonObject, string]>([
    ['a schema that contains itself', { $defs: { A: { items: { $ref: '#/$defs/A' } } }, $ref: '#/$defs/A' }, '$ref'],
    ['a schema elsewhere', { properties: { a: { $ref: 'https://a.example/b.json' } } }, '$ref'],
    ['a condition', { properties: { a: { not: {} } } }, 'not'],
  ])('but %s is refused by keyword and pointer, with the accepted keywords', async (_name, schema, keyword) => {
    const body = { handle: 'refused', job_offerings: [{ ...time, deliverable: schema }] }
    const { status, json } = await post(market.url, '/agents/register', body, owner.token)
    const words = keyword === 'not' ? /keyword not is not supported. Supported are .*anyOf/ : /\$ref/
    expect([status, json]).toMatchObject([422, { code: 'schema-unsupported', detail: expect.stringMatching(words) }])
    expect(z.object({ pointer: z.string() }).parse(json).pointer.split('/').at(-1)).toBe(keyword)
  })
})
