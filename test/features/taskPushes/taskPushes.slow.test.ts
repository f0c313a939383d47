import { randomUUID } from 'node:crypto'
import { Role, StreamResponse, type Task, TaskState } from '@a2a-js/sdk'
import { type Client, ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../../src/domain/limits.ts'
import { taskPushTables } from '../../../src/features/taskPushes/ports.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { listen } from '../x402Buying/seller.ts'

type Told = { path: string; headers: Record<string, string>; body: unknown }

let market: TestService
let user: User
let receiver: { url: string; told: Told[]; fail(count: number): void; stop(): void }
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('user')
  const told: Told[] = []
  let failing = 0
  const app = new Hono()
  app.post('*', async c => {
    told.push({ path: c.req.path, headers: c.req.header(), body: await c.req.json() })
    failing -= 1
    return c.body(null, failing >= 0 ? 500 : 204)
  })
  const { http, port } = await listen(app)
  receiver = {
    url: `http://127.0.0.1:${port}`,
    told,
    fail: count => {
      failing = count
    },
    stop: () => void http.close(),
  }
  await market.agent({
    handle: 'shouter',
    offerings: [
      {
        ...{ id: 'shout', name: 'Shout a text', description: 'Writes a text in capital letters.', price: '0.02' },
        requirement: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      },
    ],
    handler: ({ fields }) => String(fields.text).toUpperCase(),
  })
  await until('the offering to be found', async () =>
    JSON.stringify(await user.client.get('/offerings/search?query=shout%20a%20text')).includes('shouter'),
  )
})
afterAll(async () => {
  await market?.stop()
  receiver?.stop()
})

const open = ({ token }: Pick<User, 'token'>) => {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  const transports = [new JsonRpcTransportFactory({ fetchImpl })]
  return new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports })).createFromUrl(
    market.url,
  )
}

const configOf = (taskId: string, path: string, more: object = {}) => ({
  ...{ tenant: '', id: path.slice(1), taskId, url: `${receiver.url}${path}`, token: '', authentication: undefined },
  ...more,
})

type Sent = { taskId?: string; decision?: string; text?: string; push?: ReturnType<typeof configOf> }
const sendTask = async (client: Client, { taskId = '', text = '', decision, push }: Sent): Promise<Task> => {
  const content =
    decision === undefined
      ? { $case: 'text' as const, value: text }
      : { $case: 'data' as const, value: { decision: 'yes', digest: decision } }
  const parts = [{ content, metadata: undefined, filename: '', mediaType: '' }]
  const ids = { messageId: randomUUID(), contextId: '', taskId, extensions: [], referenceTaskIds: [] }
  const configuration = push && { acceptedOutputModes: [], taskPushNotificationConfig: push, returnImmediately: true }
  const message = { ...ids, role: Role.ROLE_USER, parts, metadata: undefined }
  const answer = await client.sendMessage({ tenant: '', message, configuration, metadata: undefined })
  if (!('status' in answer)) throw new Error('No task came.')
  return answer
}

const pushesTo = (path: string) => receiver.told.filter(it => it.path === path)
const taskIn = ({ body }: Told): Task => {
  const { payload } = StreamResponse.fromJSON(body)
  if (payload?.$case !== 'task') throw new Error('no task')
  return payload.value
}
const proposed = z.object({ proposal: z.object({ digest: z.string() }) })
const digestOf = (task: Task | undefined) => {
  const [, terms] = task?.status?.message?.parts ?? []
  return proposed.parse(terms?.content?.value).proposal.digest
}
const toldOf = (path: string, count: number) =>
  until(`push ${count} to ${path}`, async () => (pushesTo(path).length >= count ? pushesTo(path).map(taskIn) : undefined))

test('an address that came with the message is told when the task asks and when it has ended, and is then forgotten', async () => {
  const client = await open(user)
  const push = configOf('', '/first', { authentication: { scheme: 'Bearer', credentials: 'of-the-receiver' } })
  const { id } = await sendTask(client, { text: 'Shout a text: good morning', push })
  const [asked] = await toldOf('/first', 1)
  expect([asked?.id, asked?.status?.state]).toEqual([id, TaskState.TASK_STATE_INPUT_REQUIRED])
  await sendTask(client, { taskId: id, decision: digestOf(asked) })
  const [, ended] = await toldOf('/first', 2)
  expect([ended?.id, ended?.status?.state]).toEqual([id, TaskState.TASK_STATE_COMPLETED])
  expect(JSON.stringify(ended?.artifacts)).toContain('GOOD MORNING')
  expect(pushesTo('/first').map(it => [it.headers.authorization, it.headers['content-type']])).toEqual(
    Array(2).fill(['Bearer of-the-receiver', 'application/a2a+json']),
  )
  await until('the address to be forgotten', async () => (await listOf(client, id)).length === 0)
})

const listOf = async (client: Client, taskId: string) =>
  (await client.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 0, pageToken: '' })).configs

test('an address is added, read, listed and deleted, its token never comes back, and nobody else sees it', async () => {
  const [client, other] = [await open(user), await open(await market.user('other'))]
  const { id } = await sendTask(client, { text: 'Shout a text: good evening' })
  const made = await client.createTaskPushNotificationConfig(configOf(id, '/second', { token: 'the secret' }))
  const shown = { id: 'second', taskId: id, url: `${receiver.url}/second`, token: '' }
  expect(made).toMatchObject(shown)
  expect(await client.getTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'second' })).toMatchObject(shown)
  expect(await listOf(client, id)).toMatchObject([shown])
  const [row] = await taskPushTables(market.service.world.deps.store).taskPushesOf(id)
  expect(row?.sealed).toMatch(/./)
  expect(JSON.stringify(row)).not.toContain('the secret')
  for (const act of [
    () => listOf(other, id),
    () => other.getTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'second' }),
    () => other.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'second' }),
    () => other.createTaskPushNotificationConfig(configOf(id, '/others')),
  ])
    await expect(act()).rejects.toThrow()
  await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'second' })
  expect(await listOf(client, id)).toEqual([])
  await client.cancelTask({ tenant: '', id, metadata: undefined })
  expect(pushesTo('/second')).toEqual([])
})

test('a push that failed is sent again, and a token goes in its own header', async () => {
  const client = await open(user)
  const { id } = await sendTask(client, { text: 'Shout a text: once more' })
  await client.createTaskPushNotificationConfig(configOf(id, '/third', { token: 'the secret' }))
  receiver.fail(1)
  await client.cancelTask({ tenant: '', id, metadata: undefined })
  const ended = await toldOf('/third', 2)
  expect(ended.map(it => it.status?.state)).toEqual([TaskState.TASK_STATE_CANCELED, TaskState.TASK_STATE_CANCELED])
  expect(pushesTo('/third').map(it => it.headers['x-a2a-notification-token'])).toEqual(['the secret', 'the secret'])
})

test('a task has a few addresses at most, and none that is no address', async () => {
  const client = await open(user)
  const { id } = await sendTask(client, { text: 'Shout a text: many' })
  for (let at = 0; at < limits.taskPushes; at++) await client.createTaskPushNotificationConfig(configOf(id, `/many-${at}`))
  await expect(client.createTaskPushNotificationConfig(configOf(id, '/too-many'))).rejects.toThrow(/as many of these as/)
  for (const url of ['', 'file:///etc/passwd', 'javascript:alert(1)', 'http://user:word@a.example/'])
    await expect(client.createTaskPushNotificationConfig(configOf(id, '/many-0', { url }))).rejects.toThrow(RequestMalformedError)
  expect(await listOf(client, id)).toHaveLength(limits.taskPushes)
})

test('a client of 0.3 is told in the form of 0.3', async () => {
  const rpc = async (method: string, params: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${user.token}` }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return z.object({ result: z.any() }).parse(await (await fetch(`${market.url}/a2a`, { method: 'POST', headers, body })).json())
      .result
  }
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Shout a text: older' }] }
  const { id } = await rpc('message/send', { message })
  const pushNotificationConfig = { id: 'old', url: `${receiver.url}/old`, token: 'the secret' }
  expect(await rpc('tasks/pushNotificationConfig/set', { taskId: id, pushNotificationConfig })).toMatchObject({ taskId: id })
  expect(await rpc('tasks/pushNotificationConfig/list', { id })).toHaveLength(1)
  await rpc('tasks/cancel', { id })
  const [told] = await until('the push', async () => (pushesTo('/old').length > 0 ? pushesTo('/old') : undefined))
  expect(told?.body).toMatchObject({ kind: 'task', id, status: { state: 'canceled' } })
})
