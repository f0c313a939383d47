import { randomUUID } from 'node:crypto'
import { type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk'
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport as FormerStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { main } from '../cli/program.ts'
import { send, untilFindable } from '../http/wire.ts'
import { openAsking, openFormerAsking } from '../mcp/clients.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { png, upload } from './wire.ts'

/** More than what stands in a message. */
const large = Buffer.alloc(1_100_000, 'large ')
const file = { type: 'string', format: 'file' }

let market: TestService
let ada: User
let bob: User
beforeAll(async () => {
  market = await startTestService()
  ada = await market.user('ada')
  bob = await market.user('bob')
  await market.agent({
    handle: 'copier',
    offerings: [
      {
        id: 'copy',
        name: 'Copy a picture',
        description: 'Copies a picture exactly, and makes a large one of it.',
        price: '0.02',
        requirement: { type: 'object', required: ['picture'], properties: { picture: { ...file, contentMediaType: 'image/*' } } },
        deliverable: { type: 'object', required: ['copy', 'poster'], properties: { copy: file, poster: file } },
      },
    ],
    handler: async ({ job, upload: give }) => {
      const bytes = (await job?.files.picture?.read()) ?? new Uint8Array()
      return { copy: await give(bytes, `copy of ${job?.files.picture?.name}`), poster: await give(large, 'poster.txt') }
    },
  })
  await untilFindable(market.url, 'copy a picture', 'copier')
})
afterAll(() => market?.stop())

const openA2a = ({ token }: { token?: string }) => {
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

const part = (content: Part['content'], filename = '', mediaType = ''): Part => ({
  ...{ content, filename, mediaType, metadata: undefined },
})
const words = part({ $case: 'text', value: 'Copy this picture' })
const say = (parts: Part[], taskId = '') => ({
  ...{ tenant: '', configuration: undefined, metadata: undefined },
  message: {
    ...{ messageId: randomUUID(), role: Role.ROLE_USER, parts, contextId: '', taskId },
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  } satisfies Message,
})
const toTask = (answer: Task | Message): Task => {
  if (!('status' in answer)) throw new Error('No task came.')
  return answer
}
const proposed = z.object({
  proposal: z.object({ digest: z.string(), files: z.array(z.object({ name: z.string(), sha256: z.string() })) }),
})
const proposalOf = ({ status }: Task) =>
  proposed.parse(status?.message?.parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))[0]).proposal
const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

describe('an A2A client', () => {
  test('hands in the bytes of a file and gets files back: small ones as bytes, large ones by an address', async () => {
    const client = await openA2a(ada)
    const asked = toTask(await client.sendMessage(say([words, part({ $case: 'raw', value: png }, 'ship.png', 'image/png')])))
    const { digest, files } = proposalOf(asked)
    expect(files).toMatchObject([{ name: 'ship.png' }])
    const yes = part({ $case: 'data', value: { decision: 'yes', digest } })
    const done = toTask(await client.sendMessage(say([yes], asked.id)))
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    const [, copy, poster] = done.artifacts[0]?.parts ?? []
    expect(copy).toMatchObject({ filename: 'copy of ship.png', mediaType: 'image/png', content: { $case: 'raw' } })
    expect(copy?.content?.$case === 'raw' && Buffer.from(copy.content.value).equals(png)).toBe(true)
    expect(poster).toMatchObject({ filename: 'poster.txt', content: { $case: 'url' } })
    expect((await bytesOf(poster?.content?.$case === 'url' ? poster.content.value : '')).equals(large)).toBe(true)
    const { tasks } = await client.listTasks({ ...listing, includeArtifacts: true })
    const kinds = tasks.find(it => it.id === done.id)?.artifacts[0]?.parts.map(it => it.content?.$case)
    expect(kinds).toEqual(['data', 'url', 'url'])
  })

  test('names an uploaded file by its address here, and no other address is fetched', async () => {
    const client = await openA2a(ada)
    const { file_id } = await upload({ url: market.url, token: ada.token }, { bytes: png, name: 'logo.png' })
    const at = (value: string) => say([words, part({ $case: 'url', value })])
    expect(proposalOf(toTask(await client.sendMessage(at(`${market.url}/v1/files/${file_id}`)))).files).toMatchObject([
      { name: 'logo.png' },
    ])
    await expect(client.sendMessage(at(`https://files.example/v1/files/${file_id}`))).rejects.toThrow(/not fetched/)
    await expect((await openA2a(bob)).sendMessage(at(`${market.url}/v1/files/${file_id}`))).rejects.toThrow(/No such file/)
  })

  test('of version 0.3 sends a file part', async () => {
    const part = { kind: 'file', file: { bytes: png.toString('base64'), name: 'old.png', mimeType: 'image/png' } }
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Copy this picture' }, part] }
    const { text } = await send(market.url, {
      ...{ method: 'POST', path: '/a2a' },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }),
    })
    expect(text).toMatch(/"proposal":.*old\.png/)
  })

  test('is told how to send a file that is too large for a message, and that a file needs a token', async () => {
    const raw = (value: Buffer) => say([words, part({ $case: 'raw', value }, 'big.png')])
    await expect((await openA2a(ada)).sendMessage(raw(large))).rejects.toThrow(/POST \/v1\/files/)
    await expect((await openA2a({})).sendMessage(raw(png))).rejects.toThrow(/token/)
  })
})

const listing = {
  ...{ tenant: '', contextId: '', status: TaskState.TASK_STATE_UNSPECIFIED, pageSize: 50, pageToken: '' },
  ...{ historyLength: 0, statusTimestampAfter: undefined },
}

const result = z.object({
  isError: z.boolean().optional(),
  structuredContent: z.object({ state: z.string().optional() }).loose().optional(),
  content: z.array(
    z.object({
      ...{ type: z.string(), text: z.string().optional(), uri: z.string().optional(), name: z.string().optional() },
      resource: z.object({ uri: z.string(), mimeType: z.string(), blob: z.string() }).optional(),
    }),
  ),
})
const hosts = {
  'of the 2025 library': async (token: string) =>
    openFormerAsking(new FormerTransport(new URL(`${market.url}/mcp`), toInit(token)), () => true),
  'of the 2026 library': async (token: string) =>
    openAsking(new StreamableHTTPClientTransport(new URL(`${market.url}/mcp`), toInit(token)), () => true),
  'over standard input and output': async (token: string) =>
    openFormerAsking(
      new FormerStdio({
        command: process.execPath,
        args: [main, 'mcp'],
        env: {
          ...{ PATH: process.env.PATH ?? '', DATA_DIR: market.dir },
          ...{ SERVICE_ENDPOINT: market.url, SERVICE_PROXY_AUTH: token },
        },
        stderr: 'inherit',
      }),
      () => true,
    ),
}
const toInit = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

describe.each(Object.keys(hosts))('an MCP client %s', name => {
  test('hands a file in when hiring, and gets a small one in the result and a large one as a link', async () => {
    const client = await hosts[name as keyof typeof hosts]((await market.user(name)).token)
    const call = async (files: string[]) =>
      result.parse(await client.callTool({ name: 'hire', arguments: { task: 'Copy this picture', files } }))
    const { content, structuredContent } = await call([`data:image/png;name=my%20ship.png;base64,${png.toString('base64')}`])
    expect(structuredContent).toMatchObject({ state: 'completed' })
    const [, copy, poster] = content
    expect(copy?.resource?.mimeType).toBe('image/png')
    expect(Buffer.from(copy?.resource?.blob ?? '', 'base64').equals(png)).toBe(true)
    expect(poster).toMatchObject({ type: 'resource_link', name: 'poster.txt' })
    expect((await bytesOf(poster?.uri ?? '')).equals(large)).toBe(true)
    const foreign = await upload({ url: market.url, token: bob.token }, { bytes: png, name: 'secret.png' })
    expect(await call([foreign.file_id])).toMatchObject({ isError: true, content: [{ text: /^file-not-found/ }] })
    expect(await call(['C:\\picture.png'])).toMatchObject({ isError: true, content: [{ text: /data URL/ }] })
    await client.close()
  })
})
