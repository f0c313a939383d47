import { HTTPFacilitatorClient } from '@x402/core/http'
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec, withBazaar } from '@x402/extensions/bazaar'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { demoAgents } from '../../../docs/examples/agents/agents.ts'
import { demoHandles } from '../../../src/domain/agents/localAgents.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import type { RunningAgent } from '../../../src/kit/kit.ts'
import { freshKey, plain, provider } from '../../hire/market.ts'
import { get } from '../../http/wire.ts'
import { startTestService, type TestService, type User } from '../../service.ts'
import { createBuyer } from './buyer.ts'
import { createSchemas } from './schemas.ts'

let market: TestService
let owner: User
const demo: RunningAgent[] = []
beforeAll(async () => {
  // The validator says of each format that it does not check it.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  market = await startTestService()
  owner = await market.user('owner')
  const options = () => ({ platformUrl: market.url, credential: freshKey(), pollPauseMs: 1_000, log: () => undefined })
  for (const handle of demoHandles) demo.push(await demoAgents[handle](options()).start())
})
afterAll(async () => {
  await Promise.all(demo.map(it => it.stop()))
  await market?.stop()
  vi.restoreAllMocks()
})

type Given = { id: string; requirement: JsonObject; deliverable?: JsonObject; price?: string }
const register = (handle: string, offerings: Given[]) =>
  owner.client.post('/agents/register', {
    ...{ handle, name: handle, chain_id: 97, via_gateway: true },
    job_offerings: offerings.map(({ price = '0.01', ...it }) => ({
      ...{ name: `Work ${it.id}`, description: 'Some work.', price_v2: { type: 'fixed', amount: price } },
      ...it,
    })),
  })

const bazaar = z.object({ info: z.looseObject({ input: z.object({ body: z.json() }) }), schema: z.json() })
const read = async (params: { limit?: number; offset?: number } = {}) => {
  const { extensions } = withBazaar(new HTTPFacilitatorClient({ url: `${market.url}/x402` }))
  return extensions.bazaar.listResources({ type: 'http', ...params })
}

/** The errors that the stock validator finds in a listing. */
const errorsOf = (extension: unknown) => {
  const known = extension as Parameters<typeof validateDiscoveryExtension>[0]
  const loose = extension as Parameters<typeof validateDiscoveryExtensionSpec>[0]
  return [validateDiscoveryExtension(known), validateDiscoveryExtensionSpec(loose)].flatMap(it => it.errors ?? [])
}

test('every listing passes the stock validator of directories, and its example is a body that its resource takes', async () => {
  const schemaOf = createSchemas(20_261)
  const made = Array.from({ length: 60 }, (_, at) => ({ id: `n${at}`, requirement: schemaOf(), deliverable: schemaOf() }))
  for (let at = 0; at < made.length; at += 6) await register(`nested-${at}`, made.slice(at, at + 6))
  const { items } = await read()
  const nested = items.filter(it => it.description?.includes('by nested-'))
  expect([nested.length, items.length > nested.length]).toEqual([60, true])
  expect(items.flatMap(it => errorsOf(it.extensions?.bazaar))).toEqual([])
  const generic: string[] = []
  for (const { resource, extensions } of items) {
    const { info, schema } = bazaar.parse(extensions?.bazaar)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(resource, { method: 'POST', headers, body: JSON.stringify(info.input.body) })
    expect([resource, answer.status]).toEqual([resource, 402])
    const required = JSON.parse(Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString())
    if (required.extensions?.bazaar) expect(errorsOf(required.extensions.bazaar)).toEqual([])
    if (JSON.stringify(schema).includes('"body":{"type":"object"}')) generic.push(resource)
  }
  expect(generic).toEqual([])
})

test('a listing whose schema nobody can satisfy, or that directories misread, is described without its schema', async () => {
  await register('odd', [
    {
      id: 'never',
      requirement: { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 9, maxLength: 3 } } },
    },
    {
      id: 'endless',
      requirement: { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 100_000 } } },
    },
    { id: 'named', requirement: { type: 'object', properties: { $ref: { type: 'string' } } } },
    { id: 'inherited', requirement: { type: 'object', properties: { constructor: { type: 'string' } } } },
    { id: 'empty', requirement: {} },
  ])
  const odd = (await read()).items.filter(it => it.description?.endsWith('by odd'))
  expect(odd).toHaveLength(5)
  expect(odd.flatMap(it => errorsOf(it.extensions?.bazaar))).toEqual([])
})

test('the list has the total, pages that together are everything, and the time of each listing', async () => {
  const { items, pagination } = await read()
  expect(pagination).toEqual({ limit: 100, offset: 0, total: items.length })
  const pages = await Promise.all([read({ limit: 40 }), read({ limit: 40, offset: 40 }), read({ limit: 40, offset: 80 })])
  expect(pages.flatMap(it => it.items.map(({ resource }) => resource))).toEqual(items.map(it => it.resource))
  for (const { lastUpdated } of items) expect(new Date(lastUpdated).toISOString()).toBe(lastUpdated)
  await register('unsold', [
    { id: 'free', requirement: {}, price: '0' },
    { id: 'slow', requirement: {}, ...{ sla_minutes: 61 } },
    { id: 'hidden', requirement: {}, ...{ hide: true } },
    { id: 'filed', requirement: { type: 'object', properties: { page: { type: 'string', format: 'file' } } } },
  ])
  expect((await read()).pagination.total).toBe(items.length)
})

test('a stock client buys an offering with a schema of 15 KB, which is too long for a header', async () => {
  const buyer = await createBuyer(market, 'buyer')
  const properties = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`field${at}`, { type: 'string', description: 'What it is for. '.repeat(12) }]),
  )
  await market.agent({
    handle: 'wide',
    offerings: [
      {
        id: 'wide',
        name: 'Wide',
        description: 'Wide work.',
        price: '0.01',
        requirement: { type: 'object', properties, required: ['field1'] },
      },
    ],
    handler: () => 'done',
  })
  expect(await buyer.buy('/x402/agents/wide/offerings/wide', { field1: 'x' })).toMatchObject({
    status: 200,
    settled: { success: true },
  })
})

test('the registration file of an agent names what it sells by x402', async () => {
  const { agentId } = await provider(market, plain('0.02'))
  const { json } = await get(market.url, `/agents/${agentId}/registration.json`)
  const endpoint = `${market.url}/x402/agents/${agentId}/offerings/plain`
  expect(json).toMatchObject({ x402Support: true, services: [{}, {}, {}, { name: 'x402', endpoint, version: '2' }] })
})
