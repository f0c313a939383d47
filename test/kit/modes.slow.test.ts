import { createServer } from 'node:net'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/domain/json.ts'
import { createAgent } from '../../src/kit/kit.ts'
import { talk } from '../hire/market.ts'
import { post, untilFindable } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'
import { echo } from './agents.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const freePort = async (): Promise<number> => {
  const probe = createServer()
  await new Promise<void>(done => probe.listen(0, '127.0.0.1', done))
  const { port } = z.object({ port: z.number() }).parse(probe.address())
  await new Promise(done => probe.close(done))
  return port
}

const requirement = { type: 'object', required: ['text'], properties: { text: { type: 'string', description: 'The text' } } }
const offering = { id: 'loud', name: 'Write a text loudly', description: 'Writes a text in capitals', price: '0.02', requirement }

test('in the mode auto the market calls the agent, and a stranger’s direct call gets no free work', async () => {
  const owner = await market.user('owner')
  const port = await freePort()
  const worked: string[] = []
  const agent = await market.agent({
    handle: 'loud',
    offerings: [offering],
    mode: 'auto',
    endpointUrl: `http://127.0.0.1:${port}`,
    port,
    credential: { token: owner.token },
    handler: ({ text }) => {
      worked.push(text)
      return text.toUpperCase()
    },
  })
  const message = JSON.stringify({ text: 'good morning' })
  const forged = [
    { message },
    { message, context: { job_id: 'job_1', offering_id: 'loud' } },
    { message, context: { run_id: 'run_1' } },
  ]
  for (const body of forged)
    expect(await post(agent.url, '/invoke', body)).toMatchObject({ status: 401, json: { success: false } })
  expect(worked).toEqual([])

  await untilFindable(market.url, 'write a text loudly', 'loud')
  const { say } = talk(await market.user('buyer'))
  await say('Write a text loudly, text: "good morning"')
  const { data } = await say('yes')
  expect(data.job).toMatchObject({ state: 'settled', deliverable: message.toUpperCase() })
  expect(worked).toEqual([message])

  // The job has ended, so its id no longer authorizes a call.
  const again = { message, context: { job_id: data.job?.job_id, offering_id: 'loud' } }
  expect((await post(agent.url, '/invoke', again)).status).toBe(401)
})

test('a mode that needs an address is refused without one, and a polling mode registers no address', async () => {
  expect(() => createAgent({ ...echo(market.url), mode: 'auto' })).toThrow('The mode auto needs endpointUrl')
  const seen: JsonObject[] = []
  const owner = await market.user('careful')
  const agent = await market.agent({
    handle: 'careful',
    offerings: [offering],
    handler: () => '',
    mode: 'polling-manual',
    endpointUrl: 'http://127.0.0.1:9',
    credential: { token: owner.token },
    confirm: body => seen.push(body) > 0,
  })
  expect(agent.agentId()).toMatch(/^97:/)
  expect(seen).toMatchObject([{ handle: 'careful', endpoint_url: '', metadata: { via_gateway: true } }])
})

test('a manual mode registers nothing without a yes, and serves locally', async () => {
  const agent = await market.agent({
    handle: 'shy',
    offerings: [offering],
    handler: ({ text }) => text,
    mode: 'polling-manual',
    credential: { privateKey: generatePrivateKey() },
    confirm: () => false,
  })
  expect(agent.agentId()).toBe('')
  expect((await post(agent.url, '/invoke', { message: 'hello' })).json).toMatchObject({ success: true, content: 'hello' })
})

test('a handler gets the terms of its job and an abort signal for the deadline, and its words are the reason of a failure', async () => {
  const owner = await market.user('termed')
  const seen: unknown[] = []
  const handler = ({ job, signal, fail }: Parameters<Parameters<typeof createAgent>[0]['handler']>[0]) => {
    seen.push({ ...job, submitBy: job?.submitBy instanceof Date, aborted: signal.aborted })
    return fail('the pencil is broken')
  }
  const termed = { ...offering, id: 'termed', name: 'Draw a circle', description: 'Draws circles' }
  await market.agent({ handle: 'termed', offerings: [termed], handler, credential: { token: owner.token } })
  await untilFindable(market.url, 'draw a circle', 'termed')
  const { say } = talk(await market.user('buyer'))
  await say('Draw a circle, text: "small"')
  const { data, content } = await say('yes')
  expect(data.job).toMatchObject({ state: 'refunded' })
  expect(content).toContain('the pencil is broken')
  expect(seen[0]).toMatchObject({
    offeringId: 'termed',
    offeringName: 'Draw a circle',
    price: 0.02,
    attempt: 1,
    submitBy: true,
    aborted: false,
  })
})
