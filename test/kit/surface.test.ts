import { expect, test } from 'vitest'
import { z } from 'zod'
import { echo, platformOfTest, run } from './agents.ts'
import { agentId } from './platform.ts'

const post = (url: string, body: string) =>
  fetch(`${url}/invoke`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })

test('the same card with the offerings is served at both addresses', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))

  const card = await (await fetch(`${url}/.well-known/agent-card.json`)).json()
  expect(await (await fetch(`${url}/`)).json()).toEqual(card)
  expect(card).toMatchObject({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Echo',
    url,
    registrations: [{ agentId: 479, agentRegistry: `eip155:97:${agentId.split(':')[1]}` }],
    jobOfferings: [{ id: 'echo', name: 'Echo', priceV2: { amount: 0.02 } }],
  })
})

test('invoke returns the result of the handler, under the run id of the caller', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))
  const answer = await post(url, JSON.stringify({ message: 'hello', context: { run_id: 'run_7', more: 1 } }))
  expect(await answer.json()).toEqual({ run_id: 'run_7', agent_id: agentId, success: true, content: 'again: hello' })
})

test('invoke reports a failed handler with status 200 and success false', async () => {
  const platform = await platformOfTest()
  const { url } = await run({ ...echo(platform.url), handler: () => Promise.reject(new Error('no')) })
  const answer = await post(url, '{"message":"hello"}')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ success: false, content: '', error: 'no' })
})

test('row 55: invoke refuses what is not JSON, has no message or is too large', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))
  expect((await post(url, '{')).status).toBe(400)
  expect((await post(url, '{"text":"hello"}')).status).toBe(422)
  expect((await post(url, JSON.stringify({ message: 'x'.repeat(1024 * 1024) }))).status).toBe(413)
  for (const body of [null, [], 'hi', 5, {}, ...[null, 0, true, [], {}, ['hi'], { text: 'hi' }].map(message => ({ message }))]) {
    const answer = await post(url, JSON.stringify(body))
    expect([body, answer.status, await answer.json()]).toEqual([body, 422, { success: false, error: 'message must be a string' }])
  }
})

test('row 55: invoke takes a context of null like none, and names a context that it cannot read', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))
  for (const context of [null, {}, { run_id: null, job_id: null }])
    expect(await (await post(url, JSON.stringify({ message: 'hi', context }))).json()).toMatchObject({ content: 'again: hi' })
  for (const context of [5, [], 'x', { run_id: {} }]) {
    const answer = await post(url, JSON.stringify({ message: 'hi', context }))
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: expect.stringContaining('context must be') }])
  }
})

const a2a = async (url: string, body: unknown, version = '') => {
  const headers = { 'content-type': 'application/json', 'a2a-version': version }
  const response = await fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })
  return answered.parse(await response.json())
}
const answered = z.looseObject({ result: z.json().optional(), error: z.object({ code: z.number() }).optional() })
const send = (part: object, method = 'message/send') => ({
  ...{ jsonrpc: '2.0', id: 1, method },
  params: { message: { kind: 'message', messageId: 'm', role: 'user', parts: [part] } },
})

test('the work is also done for A2A messages of 0.3 and 1.0, with text or data', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))
  const artifacts = (...parts: object[]) => [expect.objectContaining({ parts })]
  for (const path of ['/', '/a2a'])
    expect((await a2a(`${url}${path}`, send({ kind: 'text', text: 'hello' }))).result).toMatchObject({
      ...{ kind: 'task', status: { state: 'completed' } },
      artifacts: artifacts({ kind: 'text', text: 'again: hello' }),
    })
  const present = await a2a(`${url}/a2a`, send({ data: { topic: 'rain' } }, 'SendMessage'), '1.0')
  expect(present.result).toMatchObject({
    task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: artifacts({ text: 'again: {"topic":"rain"}' }) },
  })
  const { url: failing } = await run({ ...echo(platform.url), handler: ({ fail }) => fail('no ink') })
  expect((await a2a(`${failing}/a2a`, send({ kind: 'text', text: 'x' }))).result).toMatchObject({
    status: { state: 'failed', message: { parts: [{ text: 'no ink' }] } },
  })
})

test('what is no A2A request, or of another version or method, gets the error of the protocol', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))
  const codeOf = async (body: unknown, version?: string) => (await a2a(`${url}/a2a`, body, version)).error?.code
  const text = { kind: 'text', text: 'x' }
  expect(await codeOf('{')).toBe(-32700)
  expect(await codeOf({ method: 'message/send' })).toBe(-32600)
  expect(await codeOf(send(text, 'tasks/list'))).toBe(-32601)
  expect(await codeOf({ ...send(text), params: {} })).toBe(-32602)
  expect(await codeOf(send({ kind: 'file', file: { uri: 'http://127.0.0.1/' } }))).toBe(-32005)
  expect(await codeOf(send(text, 'tasks/get'))).toBe(-32001)
  expect(await codeOf(send(text, 'message/stream'))).toBe(-32004)
  expect(await codeOf(send(text, 'CreateTaskPushNotificationConfig'), '1.0')).toBe(-32003)
  expect(await codeOf(send(text), '7.0')).toBe(-32009)
})
