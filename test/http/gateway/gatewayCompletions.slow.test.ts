import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import { asksForPoem, pathOf, plain, provider, readRun, rested, talk } from '../../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { post } from '../wire.ts'

// Completions as existing clients send them, and their required meaning.

let market: TestService
let buyer: User
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService()
  buyer = await market.user('buyer')
  poet = await provider(market, plain('0', { slaMinutes: 10 }))
})
afterAll(() => market.stop())

/** Hires the agent and leases the job. */
const given = async () => {
  const { say } = talk(buyer)
  await say(`Hire agent ${poet.handle} to write a haiku`)
  const { run_id } = await say('yes', 0)
  return { run_id, job_id: (await poet.take()).job_id }
}
const complete = (body: JsonObject | string) => post(market.url, '/gateway/jobs/complete', body, poet.token)

const agentMessage = (text: string) => ({ kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text }] })
const task = (state: string, rest: JsonObject = {}) => ({
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state },
  history: [],
  ...rest,
})

describe('a completion with a deliverable', () => {
  test.each<[string, JsonObject, string]>([
    ['of two kits', { status: 'completed', result: { response: 'ok', task: task('completed') } }, 'ok'],
    ['with the chain', { status: 'completed', result: { response: 'ok', task: task('completed') }, chain_id: 97 }, 'ok'],
    ['with another chain, which counts for nothing', { status: 'completed', result: { response: 'ok' }, chain_id: 56 }, 'ok'],
    ['of a command line', { status: 'completed', result: { response: 'line 1\r\nline 2\n' } }, 'line 1\r\nline 2\n'],
    [
      'only in the task',
      {
        status: 'completed',
        result: { response: '', task: task('completed', { history: [agentMessage('first'), agentMessage('last')] }) },
      },
      'last',
    ],
    ['without a word of status', { result: { response: 'ok' } }, 'ok'],
    [
      'that is JSON, and stays as it was written',
      { status: 'completed', result: { response: '{ "b" : 1.0,\t"a":[ ] }' } },
      '{ "b" : 1.0,\t"a":[ ] }',
    ],
    ['with line separators', { status: 'completed', result: { response: 'a\u2028b\u2029c\u0085d' } }, 'a\u2028b\u2029c\u0085d'],
    ['in the word of the specification', { deliverable: 'ok' }, 'ok'],
    ['in that word beside an empty response', { deliverable: 'ok', result: { response: '', task: {} } }, 'ok'],
    ['that is an object there, as its JSON', { deliverable: { poem: ['a', 1] } }, '{"poem":["a",1]}'],
    ['as the result itself', { status: 'completed', result: 'ok' }, 'ok'],
    [
      'with markup and escapes',
      { status: 'completed', result: { response: '<script>\u001b[31m&amp;' } },
      '<script>\u001b[31m&amp;',
    ],
  ])('%s is accepted byte for byte', async (_name, body, deliverable) => {
    const { run_id, job_id } = await given()
    expect(await complete({ job_id, agent_id: poet.agentId, ...body })).toMatchObject({ status: 200, json: { accepted: true } })
    expect(await rested(buyer, run_id)).toMatchObject({ job: { state: 'settled', deliverable } })
  })

  test('needs no agent, because the job determines it', async () => {
    const forms: JsonObject[] = [{}, { agent_id: null }, { agent_id: poet.handle }, { agent_id: '' }]
    for (const agent of forms) {
      const { job_id } = await given()
      expect(await complete({ job_id, ...agent, result: { response: 'ok' } })).toMatchObject({ json: { accepted: true } })
    }
  })

  test('of exactly 256 KiB is accepted, one byte more is refused, and the job stays open', async () => {
    const { run_id, job_id } = await given()
    const most = `${'é'.repeat(limits.deliverableBytes / 2 - 1)}ab`
    const over = await complete({ job_id, result: { response: `${most}c` } })
    expect(over).toMatchObject({ status: 413, code: 'body-too-large' })
    expect((await readRun(buyer, run_id)).job?.state).toBe('leased')
    expect(await complete({ job_id, result: { response: most } })).toMatchObject({ status: 200, json: { accepted: true } })
    expect((await rested(buyer, run_id)).job?.deliverable).toBe(most)
  })
})

describe('a completion without a deliverable', () => {
  const failedTask = task('failed', { status: { state: 'failed', message: agentMessage('out of ink') } })
  test.each<[string, JsonObject, RegExp]>([
    ['of a handler that threw', { status: 'completed', result: { response: '', task: failedTask } }, /out of ink/],
    ['with words beside its failure', { status: 'completed', result: { response: 'half', task: failedTask } }, /out of ink/],
    ['of a kit outside its handler', { status: 'failed', error: 'out of ink', result: {} }, /out of ink/],
    ['of a kit with the chain', { status: 'failed', error: 'out of ink', result: {}, chain_id: 97 }, /out of ink/],
    ['of a request that was not understood', { status: 'completed', result: { response: '', task: {} } }, /empty/],
    ['of a command line', { status: 'failed', error: 'exit code 1' }, /exit code 1/],
    [
      'of a task that was cancelled',
      { status: 'completed', result: { response: '', task: task('canceled') } },
      /no reason given/,
    ],
    ['of a task that was refused', { status: 'completed', result: { response: '', task: task('rejected') } }, /no reason given/],
    ['of an empty text', { status: 'completed', deliverable: '' }, /empty/],
    ['of words of failure alone', { error: 'out of ink' }, /out of ink/],
  ])('%s means that the job failed, and the user reads why', async (_name, body, reason) => {
    const { run_id, job_id } = await given()
    expect(await complete({ job_id, agent_id: poet.agentId, ...body })).toMatchObject({ status: 200, json: { accepted: true } })
    const { job, content } = await rested(buyer, run_id)
    expect([job?.state, content]).toEqual(['refunded', expect.stringMatching(reason)])
  })

  test.each<[string, JsonObject]>([
    ['a number', { result: { response: 7 } }],
    ['an object', { result: { response: { poem: 'x' } } }],
    ['a list', { result: [] }],
    ['a status that is no text', { status: 1, result: { response: 'ok' } }],
    ['nothing at all', { status: 'completed' }],
    ['null', { status: 'completed', deliverable: null, result: null, error: null }],
    ['an empty result', { result: {} }],
    ['a member that nobody reads', { result: { output: 'ok' } }],
  ])('but %s is refused and changes nothing (6.4 row 39)', async (_name, body) => {
    const { run_id, job_id } = await given()
    expect(await complete({ job_id, ...body })).toMatchObject({ status: 422, code: 'invalid-input' })
    expect((await readRun(buyer, run_id)).job?.state).toBe('leased')
    expect(await complete({ job_id, result: { response: 'ok' } })).toMatchObject({ status: 200 })
  })
})

test('a completion without a recognisable deliverable is answered with the place where it belongs', async () => {
  const { run_id, job_id } = await given()
  expect(await complete({ job_id, result: { output: 'ok' } })).toMatchObject({
    status: 422,
    json: { detail: expect.stringMatching(/deliverable or result\.response/), pointer: '/deliverable' },
  })
  expect(await complete({ job_id, deliverable: 'ok' })).toMatchObject({ status: 200, json: { accepted: true } })
  expect(await rested(buyer, run_id)).toMatchObject({ job: { state: 'settled' } })
})

test.each([' \n', '{}', ' { } ', '[]', 'null', '""', 'write a haiku please', ' write a haiku please\n'])(
  'an empty deliverable or a copy of the input does not count: %j is sent back, and refunded the second time',
  async response => {
    const paid = await provider(market, plain('0.1', { slaMinutes: 10, requirement: oneText }))
    const { say } = talk(buyer)
    await say(`Hire agent ${paid.handle} to write a haiku. The topic is "write a haiku please"`)
    const { run_id } = await say('yes', 0)
    for (let delivery = 1; delivery <= 2; delivery++) {
      const { job_id, job_input } = await paid.take()
      const sent = response.includes('haiku') ? response.replace('write a haiku please', job_input) : response
      expect(await complete({ job_id, deliverable: sent })).toMatchObject({ json: { evaluation: { pass: false } } })
    }
    expect(await rested(buyer, run_id)).toMatchObject({ job: { state: 'refunded' } })
  },
)
const oneText: JsonObject = { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } }

test('plain text for a schema with one required text is stored in that member, and the verdict says so', async () => {
  const schemed = await provider(market, plain('0', { slaMinutes: 10, deliverable: asksForPoem }))
  const { say } = talk(buyer)
  await say(`Hire agent ${schemed.handle} to write a haiku`)
  const { run_id } = await say('yes', 0)
  const { job_id } = await schemed.take()
  const note = expect.stringContaining('put into the required member poem')
  expect(await complete({ job_id, deliverable: 'An old pond' })).toMatchObject({ json: { evaluation: { pass: true, note } } })
  const { job, verdict } = await rested(buyer, run_id)
  expect(job).toMatchObject({ state: 'settled', deliverable: '{"poem":"An old pond"}' })
  expect(verdict?.criteria[0]).toMatchObject({ id: 'schema', outcome: 'pass', evidence: note })
  expect(await complete({ job_id, deliverable: 'An old pond' })).toMatchObject({ json: { accepted: true } })
})

test('the agent’s own reason comes first and the validator under details, and the same answer again ends the job', async () => {
  const properties = Object.fromEntries(['time', 'date', 'zone', 'offset'].map(it => [it, { type: 'string' }]))
  const clock = await provider(
    market,
    plain('0', { slaMinutes: 10, deliverable: { type: 'object', required: Object.keys(properties), properties } }),
  )
  const { say } = talk(buyer)
  await say(`Hire agent ${clock.handle} to write a haiku`)
  const { run_id } = await say('yes', 0)
  const refused = '{"error":"unknown city: Atlantis"}'
  const first = await clock.take()
  await complete({ job_id: first.job_id, deliverable: refused })
  await until('the job to come back', async () => (await pathOf(buyer, run_id)).at(-1) === 'queued')
  // A client that lost the response sends the same completion again. Nobody has leased the job since.
  expect(await complete({ job_id: first.job_id, deliverable: refused })).toMatchObject({ json: { state: 'queued' } })
  const second = await clock.take()
  expect(second).toMatchObject({
    job_id: first.job_id,
    revision: { failed: [{ details: expect.stringContaining('"time"') }, {}, {}, {}, {}] },
  })
  await complete({ job_id: first.job_id, deliverable: refused })
  const { content, verdict, job } = await rested(buyer, run_id)
  expect(job).toMatchObject({
    state: 'refunded',
    reason: expect.stringMatching(/unknown city: Atlantis.*the agent submitted the same again/),
  })
  expect(content).toContain('unknown city: Atlantis')
  expect(content).not.toMatch(/#|Instance/)
  expect(verdict?.criteria[0]).toMatchObject({ details: expect.stringContaining('Instance does not have') })
  expect((await pathOf(buyer, run_id)).filter(it => it === 'leased')).toHaveLength(2)
  // A completion after the end gets a response that does not report a pass.
  const late = await complete({ job_id: first.job_id, deliverable: { time: 'a', date: 'b', zone: 'c', offset: 'd' } })
  expect(late).toMatchObject({ status: 200, json: { accepted: false, state: 'refunded' } })
  expect(late.json).not.toHaveProperty('evaluation')
})

describe('a second completion', () => {
  test.each<[string, JsonObject, boolean]>([
    ['fault 48: the same', { status: 'completed', result: { response: 'first' } }, true],
    ['fault 49: another deliverable', { status: 'completed', result: { response: 'second' } }, false],
    ['fault 50: a failure after the success', { status: 'failed', error: 'timeout' }, false],
  ])('%s is answered 200, and the first one stands', async (_name, again, accepted) => {
    const { run_id, job_id } = await given()
    await complete({ job_id, result: { response: 'first' } })
    expect(await complete({ job_id, ...again })).toMatchObject({ status: 200, json: { job_id, accepted } })
    expect(await rested(buyer, run_id)).toMatchObject({ job: { state: 'settled', deliverable: 'first' } })
    expect(await complete({ job_id, ...again })).toMatchObject({ status: 200, json: { state: 'settled', accepted } })
    expect((await pathOf(buyer, run_id)).filter(it => it === 'submitted')).toHaveLength(1)
  })

  test('after a reported failure is answered 200, and the failure stands', async () => {
    const { run_id, job_id } = await given()
    await complete({ job_id, status: 'failed', error: 'out of ink' })
    expect(await complete({ job_id, result: { response: 'late' } })).toMatchObject({ status: 200, json: { accepted: false } })
    expect(await rested(buyer, run_id)).toMatchObject({ job: { state: 'refunded' } })
  })
})
