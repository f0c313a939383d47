import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkDeliverable } from '../../src/domain/schemas/schema.ts'
import { plain, provider, readRun, rested, talk } from '../hire/market.ts'
import { send } from '../http/wire.ts'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let owner: User
let agentId: string
const delay = monitorEventLoopDelay({ resolution: 1 })
const worst: { name: string; ms: number }[] = []

beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  owner = await market.user('owner')
  const registered = await owner.client.post('/agents/register', { handle: 'target', job_offerings: [] })
  agentId = z.object({ agent_id: z.string() }).parse(registered).agent_id
})
afterAll(async () => {
  const told = worst.toSorted((a, b) => b.ms - a.ms).slice(0, 3)
  process.stdout.write(
    `schemas of strangers: ${worst.length} bombs, longest delays of the event loop: ${told.map(it => `${it.ms} ms (${it.name})`).join(', ')}\n`,
  )
  await market?.stop()
})

/** Measures how long the work blocks the event loop. */
const measured = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  delay.reset()
  delay.enable()
  await setTimeout(2)
  const result = await work()
  await setTimeout(2)
  delay.disable()
  worst.push({ name, ms: Math.round(delay.max / 1e6) })
  return result
}

const nest = (levels: number) => `${'{"type":"array","items":'.repeat(levels)}{}${'}'.repeat(levels)}`
const names = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => `n${at}`))

/** As JSON text, because some of them cannot be written as a literal. */
const bombs: [name: string, schema: string, statuses: number[]][] = [
  ['a reference to itself', '{"$ref":"#"}', [422]],
  ['references in a circle', '{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}', [422]],
  ['items in items 10,000 deep', nest(10_000), [422]],
  ['items in items 20 deep', nest(20), [422]],
  ['50,000 values to choose from', `{"type":"object","properties":{"a":{"enum":${names(50_000)}}}}`, [422]],
  ['100,000 required names', `{"type":"object","required":${names(100_000)}}`, [422, 413]],
  ['a million required names', `{"type":"object","required":${names(1_000_000)}}`, [413]],
  ['a name of 100 KB', `{"type":"object","properties":{"${'n'.repeat(100_000)}":{}}}`, [422]],
  ['any of many', `{"anyOf":[${Array.from({ length: 1_000 }, () => '{}').join(',')}]}`, [422]],
  ['items that must differ', '{"type":"object","properties":{"a":{"type":"array","uniqueItems":true}}}', [422]],
  [
    '300 parts in 64 properties',
    `{"type":"object","properties":{${Array.from({ length: 60 }, (_, at) => `"p${at}":${nest(5)}`).join(',')}}}`,
    [422],
  ],
  ['a number beyond numbers', '{"type":"object","properties":{"a":{"type":"number","maximum":1e400}}}', [422]],
]

/** Names of Object.prototype must be ordinary names. */
const odd =
  '{"type":"object","required":["__proto__","constructor",""],"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"number"},"":{"type":"string"}}}'

const doors: [door: string, method: string, path: () => string, handle: string][] = [
  ['registration', 'POST', () => '/agents/register', 'bomb'],
  ['update', 'PUT', () => `/agents/${agentId}`, ''],
]
const offer = (member: string, schema: string) =>
  `"job_offerings":[{"id":"b","name":"b","price_v2":{"amount":0.01},"${member}":${schema}}]`

describe.each(doors)('row 33: a schema of a registration by %s', (door, method, path, handle) => {
  const ask = (member: string, schema: string) =>
    send(market.url, {
      method,
      path: path(),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.token}` },
      body: `{${handle ? `"handle":"${handle}",` : ''}${offer(member, schema)}}`,
    })

  test.each(bombs)('that is %s is refused', async (name, schema, statuses) => {
    for (const member of ['requirement', 'deliverable']) {
      const { status, code } = await measured(`${door}, ${name}`, () => ask(member, schema))
      expect([name, statuses.includes(status)]).toEqual([name, true])
      expect(['schema-unsupported', 'schema-too-large', 'invalid-input', 'body-too-large']).toContain(code)
    }
    const { status } = await send(market.url, { path: '/health' })
    expect(status).toBe(200)
  })

  test('with a pattern is stored, and its pattern is never evaluated', async () => {
    const backtracking = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect(await ask('deliverable', JSON.stringify(backtracking))).toMatchObject({ status: 200 })
    const verdict = await measured(`${door}, a pattern`, async () =>
      checkDeliverable(asks(backtracking), JSON.stringify({ a: `${'a'.repeat(60)}!` })),
    )
    expect(verdict.pass).toBe(true)
  })

  test('with the names of Object.prototype members is handled like any other', async () => {
    expect(await ask('deliverable', odd)).toMatchObject({ status: 200 })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

const asks = (schema: Record<string, unknown>) => z.record(z.string(), z.json()).parse(schema)

/** Deliverables that a stranger may submit for a schema, and whether they pass. */
const deliverables: [name: string, schema: Record<string, unknown>, deliverable: string, passes: boolean][] = [
  ['a number beyond numbers', { type: 'number' }, '1e400', false],
  ['a million nulls', { type: 'array', items: { type: 'string' } }, `[${'null,'.repeat(50_000)}null]`, false],
  ['brackets without end', { type: 'array' }, '['.repeat(100_000), false],
  ['brackets that end', { type: 'array' }, `${'['.repeat(50_000)}${']'.repeat(50_000)}`, false],
  ['a text of 256 KB', { type: 'string', maxLength: 10 }, JSON.stringify('x'.repeat(250_000)), false],
  ['a text of 256 KB that may be', { type: 'string', maxLength: 262_144 }, JSON.stringify('x'.repeat(250_000)), true],
  ['names that every object has', { type: 'object', required: ['constructor'] }, '{"toString":1}', false],
  ['a prototype', { type: 'object', required: ['polluted'] }, '{"__proto__":{"polluted":true}}', false],
  ['what a pattern would hang on', { type: 'string', maxLength: 100 }, JSON.stringify(`${'a'.repeat(30)}!`), true],
]

test.each(deliverables)('row 33: a deliverable that is %s gets its verdict', async (name, schema, deliverable, passes) => {
  const { pass, errors } = await measured(`deliverable, ${name}`, async () => checkDeliverable(asks(schema), deliverable))
  expect([name, pass]).toEqual([name, passes])
  expect(JSON.stringify(errors).length).toBeLessThan(5_000)
})

test('row 33: malicious deliverables are judged through the gateway, and the money is returned', async () => {
  const user = await market.user('buyer')
  const schema = z
    .record(z.string(), z.json())
    .parse({ type: 'object', required: ['poem'], properties: { poem: { type: 'string', maxLength: 100 } } })
  const bomber = await provider(market, plain('0.01', { deliverable: schema }))
  const { say } = talk(user)
  const { run_id } = await say(`Hire agent ${bomber.handle} to write a haiku`)
  await say('yes', 0)
  const bombs = [`{"poem":"${'x'.repeat(200_000)}"}`, '['.repeat(200_000), `{"poem":[${'null,'.repeat(40_000)}null]}`]
  for (const bomb of bombs) {
    const { job_id } = await bomber.take()
    const { status } = await measured('gateway', () => bomber.report(job_id, { status: 'completed', result: { response: bomb } }))
    expect(status).toBe(200)
  }
  await rested(user, run_id)
  expect(await readRun(user, run_id)).toMatchObject({ job: { state: 'refunded' } })
  expect(await user.client.get(`/balances/${user.proxy}`)).toMatchObject({ usdc: '25' })
})
