import { randomUUID } from 'node:crypto'
import { type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk'
import { type Client, ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/domain/json.ts'
import { balancesOf } from '../hire/market.ts'
import { send } from '../http/wire.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'

let market: TestService
let user: User
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('user')
  await market.agent({
    handle: 'shouter',
    offerings: [
      {
        id: 'shout',
        name: 'Shout a text',
        description: 'Writes a text in capital letters.',
        price: '0.02',
        requirement: { type: 'object', required: ['text'], properties: { text: { type: 'string', description: 'The text' } } },
        deliverable: { type: 'object', required: ['shouted'], properties: { shouted: { type: 'string' } } },
      },
    ],
    handler: ({ fields }) => ({ shouted: String(fields.text).toUpperCase() }),
  })
  await until('the offering to be found', async () => {
    return JSON.stringify(await user.client.get('/offerings/search?query=shout%20a%20text')).includes('shouter')
  })
})
afterAll(() => market?.stop())

/** The kit's client with its default settings, besides the token in a header. */
const open = (token: string | undefined) => {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  const transports = [new JsonRpcTransportFactory({ fetchImpl })]
  return new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports })).createFromUrl(
    market.url,
  )
}

const text = (value: string): Part => ({ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' })
const data = (value: JsonObject): Part => ({
  content: { $case: 'data', value },
  metadata: undefined,
  filename: '',
  mediaType: '',
})

const say = (parts: Part[], { taskId = '', contextId = '' } = {}) => ({
  tenant: '',
  configuration: undefined,
  metadata: undefined,
  message: {
    ...{ messageId: randomUUID(), role: Role.ROLE_USER, parts, contextId, taskId },
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  } satisfies Message,
})

const asTask = (answer: Task | Message): Task => {
  if (!('status' in answer)) throw new Error('No task came.')
  return answer
}
const sendTask = async (client: Client, parts: Part[], at = {}) => asTask(await client.sendMessage(say(parts, at)))

const proposed = z.object({ proposal: z.object({ digest: z.string(), total: z.string() }) })
const proposalOf = ({ status }: Task) => {
  const found = status?.message?.parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))
  return proposed.parse(found?.[0]).proposal
}

test('a client of the A2A kit hires through the butler in 1.0: proposal as data, a yes with its digest, the deliverable as artifact', async () => {
  const client = await open(user.token)
  expect(client.protocolVersion).toBe('1.0')
  const asked = await sendTask(client, [text('Shout a text: the ship sails at noon')])
  expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
  const { digest, total } = proposalOf(asked)
  const before = await balancesOf(user)
  const done = await sendTask(client, [data({ decision: 'yes', digest })], { taskId: asked.id, contextId: asked.contextId })
  expect([done.id, done.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED])
  expect(done.artifacts).toMatchObject([
    { name: 'Shout a text', parts: [{ content: { value: { shouted: 'THE SHIP SAILS AT NOON' } } }] },
  ])
  expect((await balancesOf(user)).user).toBeCloseTo(before.user - Number(total), 6)
})

test('a yes in words alone hires nothing, because the sender may be a model', async () => {
  const client = await open(user.token)
  const asked = await sendTask(client, [text('Shout a text: quietly')])
  await expect(sendTask(client, [text('yes')], { taskId: asked.id })).rejects.toThrow(/digest/)
  const still = await client.getTask({ tenant: '', id: asked.id })
  expect(still.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
})

test('a stream tells the task, its progress, its artifact and its end in order', async () => {
  const client = await open(user.token)
  const asked = await sendTask(client, [text('Shout a text: streams')])
  const kinds: string[] = []
  const states: (TaskState | undefined)[] = []
  const yes = say([data({ decision: 'yes', digest: proposalOf(asked).digest })], { taskId: asked.id })
  for await (const { payload } of client.sendMessageStream(yes)) {
    kinds.push(payload?.$case ?? '')
    if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state)
  }
  expect(kinds[0]).toBe('task')
  expect(kinds.slice(-2)).toEqual(['artifactUpdate', 'statusUpdate'])
  expect(new Set(states.slice(0, -1))).toEqual(new Set([TaskState.TASK_STATE_WORKING]))
  expect(states.at(-1)).toBe(TaskState.TASK_STATE_COMPLETED)
})

test('who subscribes to a task that waits for its user follows it to its end', async () => {
  const client = await open(user.token)
  const asked = await sendTask(client, [text('Shout a text: followed')])
  const heard = (async () => {
    const states = []
    for await (const { payload } of client.resubscribeTask({ tenant: '', id: asked.id }))
      states.push(payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value.status?.state : undefined)
    return states
  })()
  await sendTask(client, [data({ decision: 'yes', digest: proposalOf(asked).digest })], { taskId: asked.id })
  const states = await heard
  expect([states[0], states.at(-1)]).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_COMPLETED])
})

test('cancelling takes a proposal back, and an ended task is neither cancelled nor continued', async () => {
  const client = await open(user.token)
  const asked = await sendTask(client, [text('Shout a text: good morning')])
  const ended = await client.cancelTask({ tenant: '', id: asked.id, metadata: undefined })
  expect(ended.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
  await expect(client.cancelTask({ tenant: '', id: asked.id, metadata: undefined })).rejects.toThrow(/ended/)
  await expect(sendTask(client, [text('go on')], { taskId: asked.id })).rejects.toThrow(/ended/)
})

const listed = z.object({
  tasks: z.array(z.object({ id: z.string(), contextId: z.string(), status: z.object({ timestamp: z.string() }) })),
  nextPageToken: z.string(),
  totalSize: z.number(),
})
const answered = z.object({ result: z.unknown().optional(), error: z.object({ code: z.number() }).loose().optional() })

const rpc = async (method: string, params: JsonObject, { version, token }: { version?: string; token?: string } = {}) => {
  const headers = {
    'content-type': 'application/json',
    ...(version && { 'a2a-version': version }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return answered.parse((await send(market.url, { method: 'POST', path: '/a2a', headers, body })).json)
}

test('tasks are listed newest first, page by page, and only to their user', async () => {
  const own = await market.user('lister')
  const client = await open(own.token)
  const made = []
  for (const word of ['one', 'two', 'three']) made.unshift((await sendTask(client, [text(`Shout a text: ${word}`)])).id)
  const list = async (params: JsonObject, token = own.token) =>
    listed.parse((await rpc('ListTasks', params, { version: '1.0', token })).result)
  const first = await list({ pageSize: 2 })
  const second = await list({ pageSize: 2, pageToken: first.nextPageToken })
  expect([...first.tasks, ...second.tasks].map(it => it.id)).toEqual(made)
  expect([first.totalSize, second.nextPageToken]).toEqual([3, ''])
  expect((await list({}, (await market.user('another')).token)).totalSize).toBe(0)
  expect((await rpc('GetTask', { id: made[0] ?? '' }, { version: '1.0', token: user.token })).error?.code).toBe(-32001)
})

test('a client of 0.3 finds the same butler at the same address', async () => {
  const { json: card } = await send(market.url, { path: '/.well-known/agent-card.json' })
  expect(card).toMatchObject({ protocolVersion: '0.3.0', url: `${market.url}/a2a`, preferredTransport: 'JSONRPC' })
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Shout a text: older' }] }
  const task = z.object({ id: z.string(), kind: z.literal('task'), status: z.object({ state: z.string() }).loose() })
  const asked = task.parse((await rpc('message/send', { message }, { token: user.token })).result)
  expect(asked.status.state).toBe('input-required')
  const read = task.parse((await rpc('tasks/get', { id: asked.id }, { token: user.token })).result)
  expect(read.id).toBe(asked.id)
  expect(task.parse((await rpc('tasks/cancel', { id: asked.id }, { token: user.token })).result).status.state).toBe('canceled')
})

test('without a token a task is proposed and waits for a credential, and a decision hires nothing', async () => {
  const client = await open(undefined)
  const asked = await sendTask(client, [text('Shout a text: good evening')])
  expect(asked.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED)
  const yes = [data({ decision: 'yes', digest: proposalOf(asked).digest })]
  await expect(sendTask(client, yes, { taskId: asked.id })).rejects.toThrow()
  const ended = await client.cancelTask({ tenant: '', id: asked.id, metadata: undefined })
  expect(ended.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
})

test.each([
  ['an unknown version', 'SendMessage', {}, '2.0', -32009],
  ['an unknown method', 'Nothing', {}, '1.0', -32601],
  ['a message without parts', 'SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [] } }, '1.0', -32602],
  [
    'a file',
    'SendMessage',
    { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ url: 'https://a.example' }] } },
    '1.0',
    -32005,
  ],
  ['an unknown task', 'GetTask', { id: 'nothing' }, '1.0', -32001],
  ['following an unknown task', 'SubscribeToTask', { id: 'nothing' }, '1.0', -32001],
  ['an extended card', 'GetExtendedAgentCard', {}, '1.0', -32007],
  ['a page that is none', 'ListTasks', { pageSize: 0 }, '1.0', -32602],
])('%s is answered with its code', async (_name, method, params, version, code) => {
  expect((await rpc(method, params, { version })).error?.code).toBe(code)
})

test('0.3 is told by a stream that there is no such task to follow', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id: 'nothing' } })
  const response = await fetch(`${market.url}/a2a`, { method: 'POST', headers, body })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(await response.text()).toContain('-32001')
})

test('a task says what its proposal leaves out, in words and in data', async () => {
  const client = await open(user.token)
  const task = await sendTask(client, [text('Shout the text "ships at sea" in blue letters, 3 times')])
  const [words, terms] = task.status?.message?.parts ?? []
  expect(words?.content?.value).toMatch(/Left out: .*in blue letters/)
  expect(terms?.content?.value).toMatchObject({
    proposal: { input: '{"text":"ships at sea"}', left_out: expect.arrayContaining([expect.stringContaining('blue')]), made: [] },
  })
})
