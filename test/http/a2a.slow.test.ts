import { type Message, TaskState } from '@a2a-js/sdk'
import { ClientFactory } from '@a2a-js/sdk/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Json, type JsonObject, jsonObject } from '../../src/domain/json.ts'
import { toMessage } from '../a2a/toMessage.ts'
import { ask } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { post, send } from './wire.ts'

let market: TestService
let agentId: string
let token: string
beforeAll(async () => {
  market = await startTestService()
  const owner = await market.user('owner')
  token = owner.token
  const body = { handle: 'parrot', name: 'Parrot', description: 'Repeats', chain_id: 97, via_gateway: true, skills: [] }
  agentId = z.object({ agent_id: z.string() }).parse(await owner.client.post('/agents/register', body)).agent_id
})
afterAll(() => market?.stop())

const polled = z.object({ task_id: z.string(), payload: jsonObject })

/** The agent takes one task from its queue and ends it. */
const workOnce = async (result: (payload: JsonObject) => Json) => {
  const at = { url: market.url, token }
  const { body } = await ask(at, `/gateway/tasks/poll?agent=${agentId}&timeout=10`, { method: 'GET' })
  const { task_id, payload } = polled.parse(body)
  await ask(at, '/gateway/tasks/complete', { body: { task_id, agent_id: agentId, status: 'completed', result: result(payload) } })
  return payload
}

const open = () => new ClientFactory().createFromUrl(`${market.url}/agents/parrot/.well-known/agent-card.json`, '')
const textOf = (message: Message | undefined) =>
  message?.parts.flatMap(({ content }) => (content?.$case === 'text' ? content.value : [])).join('')

test('an A2A SDK client with default settings reads the card, sends a message in 1.0, and reads the task', async () => {
  const client = await open()
  expect(client.protocolVersion).toBe('1.0')
  const working = workOnce(() => ({
    kind: 'message',
    messageId: 'm',
    role: 'agent',
    parts: [{ kind: 'text', text: 'hello back' }],
  }))
  const answer = await client.sendMessage({
    tenant: '',
    message: toMessage('hello'),
    configuration: undefined,
    metadata: undefined,
  })
  expect(await working).toMatchObject({ params: { message: { role: 'user', parts: [{ kind: 'text', text: 'hello' }] } } })
  if (!('status' in answer)) throw new Error('No task came.')
  expect(answer.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
  expect(textOf(answer.status?.message)).toBe('hello back')
  const read = await client.getTask({ tenant: '', id: answer.id })
  expect([read.id, read.status?.state]).toEqual([answer.id, TaskState.TASK_STATE_COMPLETED])
})

test('an A2A SDK client follows a message as a stream in 1.0', async () => {
  const client = await open()
  const working = workOnce(() => ({ kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'data', data: { n: 1 } }] }))
  const heard = []
  const request = { tenant: '', message: toMessage('hello'), configuration: undefined, metadata: undefined }
  for await (const event of client.sendMessageStream(request)) heard.push(event)
  await working
  expect(heard).toMatchObject([{ payload: { $case: 'task', value: { status: { state: TaskState.TASK_STATE_COMPLETED } } } }])
})

const rpc = async (method: string, version: string | undefined, params: JsonObject = {}) => {
  const headers = { 'content-type': 'application/json', ...(version !== undefined && { 'a2a-version': version }) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
  return (await send(market.url, { method: 'POST', path: `/gateway/a2a/${agentId}`, headers, body })).json
}

test.each([
  ['an unknown version', 'SendMessage', '2.0', -32009],
  ['a method of 1.0 under 0.3', 'GetTask', '0.3', -32601],
  ['a method of 1.0 without a version, which means 0.3', 'GetTask', undefined, -32601],
  ['a method of 0.3 under 1.0', 'tasks/get', '1.0', -32601],
  ['a task that is not known', 'GetTask', '1.0.1', -32001],
  ['push configuration', 'CreateTaskPushNotificationConfig', '1.0', -32003],
  ['following a task', 'SubscribeToTask', '1.0', -32004],
  ['the extended card', 'GetExtendedAgentCard', '1.0', -32007],
])('%s is answered with its error code', async (_name, method, version, code) => {
  expect(await rpc(method, version, { id: 'nothing' })).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code } })
})

test('0.3 is supported beside 1.0 at the same address, and the card names both', async () => {
  const { json: card } = await send(market.url, { path: `/agents/${agentId}/.well-known/agent-card.json` })
  const url = `${market.url}/gateway/a2a/${agentId}`
  expect(card).toMatchObject({
    protocolVersion: '0.3.0',
    url,
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
  })
  const working = workOnce(() => 'done')
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hello' }] }
  const answer = await post(market.url, `/gateway/a2a/${agentId}`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: { message },
  })
  await working
  expect(answer.json).toMatchObject({ result: { kind: 'task', status: { state: 'completed' } } })
})
