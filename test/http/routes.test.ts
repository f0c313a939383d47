import { readFile } from 'node:fs/promises'
import { type Schema, Validator } from '@cfworker/json-schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { coreRoutes } from '../../src/http/routes.ts'
import type { RunningAgent } from '../../src/kit/kit.ts'
import { routes } from '../assembled.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { type Answer, get, post, untilFindable } from './wire.ts'

let market: TestService
let clock: RunningAgent
let ada: User
let document: z.infer<typeof openapi>

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()).min(1),
  security: z.array(z.object({ bearer: z.array(z.string()) })).optional(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean(), schema: z.looseObject({}) }))
    .default([]),
  requestBody: z.looseObject({}).optional(),
  responses: z.record(
    z.string().regex(/^(?:\d{3}|default)$/),
    z.object({
      description: z.string().min(1),
      content: z.record(z.string(), z.object({ schema: z.looseObject({}) })).default({}),
    }),
  ),
})
const openapi = z.object({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.object({ title: z.string().min(1), version: z.string().min(1) }),
  components: z.looseObject({ schemas: z.record(z.string().regex(/^[\w.-]+$/), z.looseObject({})) }),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation)),
})

beforeAll(async () => {
  market = await startTestService()
  clock = await market.cityClock()
  await untilFindable(market.url, 'time in Tokyo', 'city-clock')
  ada = await market.user('ada')
  document = openapi.parse((await get(market.url, '/openapi.json')).json)
})
afterAll(() => market?.stop())

const described = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, it]) => ({ path, method, it })),
  )

test('the document has its server, credentials, parts and refusals, and every reference resolves to a component', async () => {
  const { json: whole, text } = await get(market.url, '/openapi.json')
  expect(whole).toMatchObject({
    servers: [{ url: market.url }],
    security: [{}, { bearer: [] }, { agentSecret: [] }],
    components: { securitySchemes: { bearer: { scheme: 'bearer' }, agentSecret: { name: 'X-Agent-Secret' } } },
  })
  const names = z
    .object({ tags: z.array(z.object({ name: z.string() })) })
    .parse(whole)
    .tags.map(it => it.name)
  for (const { it } of described()) {
    expect(names).toContain(it.tags[0])
    expect(Object.keys(it.responses)).toEqual(expect.arrayContaining(['401', '422', '429', 'default']))
  }
  const places = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
  expect(places).toContain('Json')
  expect(places.filter(name => !(name in document.components.schemas))).toEqual([])
  expect(text).not.toContain('$defs')
})

test('the document lists exactly the routes, each under a name of its own', () => {
  const listed = described().map(({ method, path }) => `${method} ${path}`)
  expect(listed.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted())
  const names = described().map(({ it }) => it.operationId)
  expect(new Set(names).size).toBe(names.length)
})

test('the document says which routes need a token and which members are in the path', () => {
  for (const { method, path, operation: wanted } of routes) {
    const it = document.paths[path]?.[method]
    expect([path, it?.security]).toEqual([path, wanted.caller === 'user' ? [{ bearer: [] }] : undefined])
    const inPath = it?.parameters.filter(each => each.in === 'path' && each.required).map(each => each.name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]))
    expect(it?.requestBody !== undefined).toBe(['post', 'put', 'patch'].includes(method))
  }
})

test('every reference in the document resolves', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(match => match[1] ?? '')
  expect(refs.length).toBeGreaterThan(routes.length)
  for (const ref of new Set(refs)) {
    const found = ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, step) => z.looseObject({}).parse(at)[step], document)
    expect([ref, typeof found]).toEqual([ref, 'object'])
  }
})

/** Checks a response against the OpenAPI document of its route. */
const checkAnswer = (path: string, method: 'get' | 'post' | 'put' | 'patch' | 'delete', answer: Answer) => {
  expect([path, answer.status]).toEqual([path, 200])
  const promised = document.paths[path]?.[method]?.responses['200']?.content['application/json']?.schema
  const schema: Schema = { ...promised, components: document.components }
  const { errors } = new Validator(schema, '2020-12').validate(answer.json)
  expect([path, errors]).toEqual([path, []])
  expect(answer.headers['content-type']).toBe('application/json')
}

/** Paths whose responses are checked against the document by other tests of this folder. */
const platformPaths = async (): Promise<string[]> => {
  const files = ['platform.slow.test.ts', 'gateway/gatewayAccess.slow.test.ts', 'gateway/gatewayTasks.slow.test.ts']
  const sources = await Promise.all(files.map(it => readFile(new URL(it, import.meta.url), 'utf8')))
  const source = sources.join('\n')
  const own = new Set([...source.matchAll(/promised\(\s*['`](?:get|post|put|delete) ([^'`]+)['`]/g)].map(match => match[1] ?? ''))
  return routes.flatMap(it => (own.has(it.path) ? [it.path] : [])).filter((path, at, all) => all.indexOf(path) === at)
}

test('every route answers what the document promises', async () => {
  const { url } = market
  const run = z.object({ run_id: z.string(), proposal: z.object({ digest: z.string() }) })
  const proposed = await post(url, '/v1/hires', { task: 'What time is it in Tokyo?' }, ada.token)
  checkAnswer('/v1/hires', 'post', proposed)
  const { run_id, proposal } = run.parse(proposed.json)
  const yes = { digest: proposal.digest, decision: 'yes' }
  checkAnswer('/v1/hires/{run_id}/confirm', 'post', await post(url, `/v1/hires/${run_id}/confirm`, yes, ada.token))

  const begun = await post(url, '/v1/init', true)
  const { code } = z.object({ code: z.string() }).parse(begun.json)
  const id = clock.agentId()
  const reads = {
    '/health': '/health',
    '/healthz': '/healthz',
    '/readyz': '/readyz',
    '/livez': '/livez',
    '/gateway/health': '/gateway/health',
    '/agents': '/agents?include_health=true&chain_id=97&page=1&pageSize=100',
    '/agents/{agent}': `/agents/${id}`,
    '/agents/{agent}/feedback': `/agents/${id}/feedback`,
    '/agents/handle/{agent}': '/agents/handle/city-clock?chain_id=97',
    '/suggestions': '/suggestions?limit=12',
    '/offerings/search': '/offerings/search?query=time%20in%20Oslo',
    '/balances/{address}': `/balances/${ada.proxy}`,
    '/runs/{run_id}': `/runs/${run_id}`,
    '/runs/{run_id}/events': `/runs/${run_id}/events`,
    '/runs/{run_id}/payments': `/runs/${run_id}/payments`,
    '/gateway/jobs/poll': `/gateway/jobs/poll?agent=${id}`,
    '/v1/approve': `/v1/approve?code=${code}&address=${ada.wallet}`,
    '/v1/status': `/v1/status?code=${code}`,
    '/.well-known/jwks.json': '/.well-known/jwks.json',
    '/.well-known/did.json': '/.well-known/did.json',
    '/.well-known/agent-registration.json': '/.well-known/agent-registration.json',
    '/v1/wallets/me': '/v1/wallets/me',
  }
  for (const [path, target] of Object.entries(reads)) checkAnswer(path, 'get', await get(url, target, ada.token))
  checkAnswer('/v1/init', 'post', begun)
  checkAnswer('/invoke', 'post', await post(url, '/invoke', { message: 'hello' }, ada.token))
  const tested = new Set([...Object.keys(reads), '/v1/hires', '/v1/hires/{run_id}/confirm', '/v1/init', '/invoke'])
  // Paths of the core whose responses have their own tests elsewhere. Those of features are tested with their features.
  const beside = [
    '/v1/approve/demo',
    '/v1/key-mode',
    '/v1/learning',
    '/v1/login',
    '/v1/revoke',
    '/v1/wallets/me/rpc',
    '/v1/withdrawals',
    // Of accounts with a passkey: test/features/passkeys/withdrawals.test.ts.
    '/v1/account-events',
    '/v1/yes-limit',
    '/v1/withdrawal-addresses',
    '/v1/withdrawal-addresses/{address_id}',
    '/agents/register',
    // Read by the doctor: test/cli/doctor.slow.test.ts.
    '/agents/{agent}/diagnosis',
    '/gateway/jobs/complete',
    '/gateway/jobs/progress',
    '/v1/hires/{run_id}/cancel',
    // The yes that a program asks for: approvals.test.ts.
    '/v1/hires/{run_id}/approval',
    '/v1/hires/{run_id}/approval/demo',
    '/v1/mandates',
    '/v1/mandates/{mandate_id}',
    '/jobs/{job_id}/feedback.json',
    // Files: test/files.
    '/v1/files',
    '/v1/files/{file_id}',
    '/v1/files/{file_id}/record',
    '/v1/files/{file_id}/link',
    '/v1/uploads',
    '/v1/uploads/{upload_id}',
    '/gateway/jobs/{job_id}/files',
    '/agents/{agent}/.well-known/agent-card.json',
    '/agents/{agent}/registration.json',
    '/agents/{agent}/resources',
    '/agents/{agent}/resources/{resource_id}',
    '/runs/{run_id}/appeal',
    '/runs/{run_id}/history',
    // test/hire/receipt.test.ts.
    '/runs/{run_id}/receipt',
    '/accounts/users/register-with-key',
    // views.test.ts.
    '/conversations/{conversation_id}',
    // ownRecords.test.ts.
    '/v1/own-records',
    '/v1/own-records/delete',
  ]
  const isLeft = (path: string) => !tested.has(path) && coreRoutes.some(it => it.path === path)
  const streams = routes.flatMap(it => (it.stream && !['events', 'ag-ui', 'a2a-method'].includes(it.stream) ? [it.path] : []))
  const elsewhere = [...beside, ...streams, ...(await platformPaths())].filter(isLeft).toSorted()
  expect(Object.keys(document.paths).filter(isLeft).toSorted()).toEqual(elsewhere)
})
