import { randomUUID } from 'node:crypto'
import { type Task, TaskState } from '@a2a-js/sdk'
import { ClientFactory } from '@a2a-js/sdk/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { toMessage } from '../a2a/toMessage.ts'
import { plain } from '../hire/market.ts'
import { get, post } from '../http/wire.ts'
import { startTestService, type TestService, until } from '../service.ts'

let market: TestService
let token: string
beforeAll(async () => {
  market = await startTestService()
  token = (await market.user('owner')).token
})
afterAll(() => market?.stop())

const ask = async (base: string, card: string, text: string) => {
  const client = await new ClientFactory().createFromUrl(base, card)
  const request = { message: toMessage(text), configuration: undefined, metadata: undefined, tenant: '' }
  const said = await client.sendMessage(request)
  if (!('status' in said)) throw new Error('The answer is no task.')
  return said
}
const textOf = ({ artifacts }: Task) =>
  artifacts
    .flatMap(it => it.parts)
    .flatMap(({ content }) => (content?.$case === 'text' ? content.value : []))
    .join('')

test('an agent that polls for tasks answers an A2A SDK client through the gateway, and a task that was submitted', async () => {
  await market.agent({
    ...{ handle: 'talker', credential: { token }, offerings: [], tasks: true },
    handler: ({ text, fields, fail }) => (text === 'nothing' ? fail('there is nothing') : `heard ${fields.topic ?? text}`),
  })
  const card = `${market.url}/agents/talker/.well-known/agent-card.json`
  const answered = await ask(card, '', 'hello')
  expect([answered.status?.state, textOf(answered)]).toEqual([TaskState.TASK_STATE_COMPLETED, 'heard hello'])
  expect((await ask(card, '', 'nothing')).status?.state).toBe(TaskState.TASK_STATE_FAILED)

  const task_id = randomUUID()
  await post(market.url, '/gateway/tasks/submit', { task_id, agent: 'talker', payload: { topic: 'rain' } })
  const state = z.object({ status: z.string() })
  await until(
    'the task',
    async () => state.parse((await get(market.url, `/gateway/tasks/${task_id}/status`)).json).status === 'completed',
  )
  expect(JSON.stringify((await get(market.url, `/gateway/tasks/${task_id}/result`)).json)).toContain('heard rain')
})

test('an A2A SDK client talks to the address of an agent itself; a priced agent with an address does no unpaid work', async () => {
  const offerings = [plain('0.5')]
  const polling = await market.agent({
    handle: 'local',
    credential: { token },
    offerings,
    handler: ({ text }) => `heard ${text}`,
  })
  expect(textOf(await ask(polling.url, '', 'hello'))).toBe('heard hello')

  const asked: string[] = []
  const called = await market.agent({
    ...{ handle: 'priced', credential: { token }, offerings, mode: 'auto', endpointUrl: 'http://127.0.0.1:8099' },
    handler: ({ text }) => {
      asked.push(text)
      return 'work'
    },
  })
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: { message: { parts: [{ kind: 'text', text: 'for free' }] } },
  }
  expect((await post(called.url, '/a2a', body)).json).toMatchObject({
    error: { message: expect.stringContaining('hire this agent') },
  })
  expect(asked).toEqual([])
})
