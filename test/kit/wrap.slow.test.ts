import { createServer } from 'node:http'
import { join } from 'node:path'
import { AgentCard, type Message, Role } from '@a2a-js/sdk'
import { type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express from 'express'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openA2a } from '../../src/kit/wrap/a2a.ts'
import { openCommand } from '../../src/kit/wrap/command.ts'
import { openMcp } from '../../src/kit/wrap/mcp.ts'
import { openOpenApi } from '../../src/kit/wrap/openapi.ts'
import { toPriceList } from '../../src/kit/wrap/priceList.ts'
import type { Source } from '../../src/kit/wrap/source.ts'
import { wrap } from '../../src/kit/wrap/wrap.ts'
import { balancesOf, talk, walletOf } from '../hire/market.ts'
import { untilFindable } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const env = { PATH: process.env.PATH ?? '' }
const server = (name: string, ...args: string[]) => ({
  command: [
    process.execPath,
    join(import.meta.dirname, `../../node_modules/@modelcontextprotocol/${name}/dist/index.js`),
    ...args,
  ],
  env,
})

const sell = async (source: Source, handle: string) => {
  onTestFinished(source.close)
  return market.agent(wrap(source, toPriceList(source, { handle, price: '0.02' })))
}

/** Hires an agent by its name; returns the deliverable and the payment. */
const hire = async (handle: string, agentId: string, words: string) => {
  const user = await market.user(`user of ${handle}`)
  const { say } = talk(user)
  const proposed = await say(words)
  expect(proposed.content).toContain(`(${handle})`)
  const { data } = await say('yes')
  const held = await balancesOf(user, { agent: await walletOf(user, agentId) })
  return { job: data.job, paid: held.agent }
}

test('a tool of a real MCP server with structured inputs is hired through the butler and paid', async () => {
  const agent = await sell(await openMcp(server('server-everything', 'stdio'), ['get-sum', 'get-tiny-image']), 'sums')
  await untilFindable(market.url, 'sum of two numbers', 'sums')
  const { job, paid } = await hire('sums', agent.agentId(), 'Get the sum of two numbers: a 17 and b 25')
  expect(job).toMatchObject({ state: 'settled', deliverable: 'The sum of 17 and 25 is 42.' })
  expect(paid).toBe(0.02)
})

test('a second real MCP server, whose tools answer with structured content, is hired and paid', async () => {
  const agent = await sell(await openMcp(server('server-memory'), ['search_nodes']), 'memories')
  await untilFindable(market.url, 'search for nodes in the knowledge graph', 'memories')
  const words = 'Search for nodes in the knowledge graph, query: "spoons"'
  const { job, paid } = await hire('memories', agent.agentId(), words)
  expect(job).toMatchObject({ state: 'settled', deliverable: JSON.stringify({ entities: [], relations: [] }) })
  expect(paid).toBe(0.02)
})

const call = (source: Source, id: string, input: Record<string, string | number>) =>
  source.call({ id, input, text: JSON.stringify(input), signal: AbortSignal.timeout(20_000) })

test('an MCP server that has exited is started again at the next call', async () => {
  const place = server('server-everything', 'stdio')
  const source = await openMcp({ ...place, env: { ...env, MARK: 'first' } }, ['get-env', 'echo'])
  onTestFinished(source.close)
  expect(await call(source, 'echo', { message: 'one' })).toBe('Echo: one')
  await source.close()
  expect(await call(source, 'echo', { message: 'two' })).toBe('Echo: two')
})

test('a failing tool is reported with its own message, and an image in a result is returned as data', async () => {
  const source = await openMcp(server('server-everything', 'stdio'))
  onTestFinished(source.close)
  await expect(call(source, 'get-sum', { a: 'x' })).rejects.toThrow(/number/)
  expect(await call(source, 'get-tiny-image', {})).toMatchObject({
    content: [{ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^[A-Za-z0-9+/=]{100,}$/) }],
  })
  await expect(openMcp(server('server-everything', 'stdio'), ['nothing'])).rejects.toThrow('no tool nothing; it has echo')
})

/** Starts an agent built with the A2A SDK, version 1.0. */
const startPeer = async (execute: AgentExecutor['execute']) => {
  const app = express()
  const http = createServer(app)
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  onTestFinished(() => void http.close())
  const bound = http.address()
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
  const card = AgentCard.fromJSON({
    name: 'Shouter',
    description: 'Writes texts in capitals',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'shout',
        name: 'Shout a text',
        description: 'Writes a text in capital letters',
        tags: [],
        examples: ['Shout: hello'],
      },
    ],
  })
  const executor: AgentExecutor = { execute, cancelTask: async () => undefined }
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor)
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }))
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
  return url
}

const textOf = (message: Message | undefined) =>
  message?.parts.flatMap(({ content }) => (content?.$case === 'text' ? content.value : [])).join('') ?? ''

test('a skill of an A2A SDK agent is hired with the words of the user and paid', async () => {
  const url = await startPeer(async ({ userMessage }, bus) => {
    const text = textOf(userMessage).toUpperCase()
    const parts = [
      { content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' },
    ]
    const message = { messageId: 'm', role: Role.ROLE_AGENT, parts, contextId: '', taskId: '', metadata: undefined }
    bus.publish({ kind: 'message', data: { ...message, extensions: [], referenceTaskIds: [] } })
    bus.finished()
  })
  const agent = await sell(await openA2a(url), 'shouter')
  await untilFindable(market.url, 'shout a text', 'shouter')
  const { job, paid } = await hire('shouter', agent.agentId(), 'Shout a text: good morning')
  expect(job).toMatchObject({ state: 'settled', deliverable: 'GOOD MORNING' })
  expect(paid).toBe(0.02)
})

/** Starts a small API that requires a key, with its OpenAPI document. */
const startApi = async () => {
  const asked: { url: string; key: string | undefined }[] = []
  const app = express()
  const http = createServer(app)
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  onTestFinished(() => void http.close())
  const bound = http.address()
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
  const parameter = { name: 'word', in: 'path', required: true, schema: { type: 'string' } }
  const Plural = { type: 'object', required: ['plural'], properties: { plural: { type: 'string' } } }
  const answer = {
    '200': { description: 'Done', content: { 'application/json': { schema: { $ref: '#/components/schemas/Plural' } } } },
  }
  app.get('/openapi.json', (_request, response) => {
    response.json({
      openapi: '3.1.0',
      info: { title: 'Plurals', version: '1' },
      components: { schemas: { Plural }, securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      security: [{ key: [] }],
      paths: {
        '/plurals/{word}': {
          get: { operationId: 'plural', summary: 'Plural of a word', parameters: [parameter], responses: answer },
        },
        '/files': {
          post: { operationId: 'upload', requestBody: { content: { 'text/csv': {} } }, responses: answer },
        },
      },
    })
  })
  app.get('/plurals/:word', (request, response) => {
    asked.push({ url: request.url, key: request.header('x-key') })
    if (request.params.word === 'water') response.status(422).json({ error: 'water has no plural' })
    else response.json({ plural: `${request.params.word}s` })
  })
  return { url, asked }
}

test('an operation of an HTTP API is sold with its schema, and its key is sent to the API only', async () => {
  const { url, asked } = await startApi()
  const source = await openOpenApi(`${url}/openapi.json`, { only: [], env: { API_KEY: 'a secret' } })
  expect(source.leftOut).toEqual([{ id: 'upload', reason: 'Only bodies of JSON, forms and files are sold.' }])
  const agent = await sell(source, 'plurals')
  await untilFindable(market.url, 'plural of a word', 'plurals')
  const { job, paid } = await hire('plurals', agent.agentId(), 'Plural of a word, word: "spoon"')
  expect(job).toMatchObject({ state: 'settled', deliverable: '{"plural":"spoons"}' })
  expect(paid).toBe(0.02)
  expect(asked).toEqual([{ url: '/plurals/spoon', key: 'a secret' }])
  const record = JSON.stringify(await (await market.user('any')).client.get(`/agents/${agent.agentId()}`))
  expect(record).not.toContain('a secret')
})

test('an error of the API is reported with its message; a value cannot reach another path; without a key nothing is sold', async () => {
  const { url } = await startApi()
  const source = await openOpenApi(`${url}/openapi.json`, { only: ['plural'], env: { API_KEY: 'k' } })
  await expect(call(source, 'plural', { word: 'water' })).rejects.toThrow('answered 422: {"error":"water has no plural"}')
  await expect(call(source, 'plural', { word: '..' })).rejects.toThrow('may not be empty or dots')
  const keyless = await openOpenApi(`${url}/openapi.json`, { only: ['plural'], env: {} })
  expect([keyless.capabilities, keyless.leftOut]).toEqual([[], [{ id: 'plural', reason: 'it needs a credential in API_KEY' }]])
})

test('a program is sold as one offering, is hired, and gets its input as arguments without a shell', async () => {
  const command = [process.execPath, '-e', 'console.log(process.argv[1].toUpperCase() + "!")', '--', '{text}']
  const source = openCommand({ command, name: 'loud', description: 'Writes a text loudly, in capitals with a mark', env })
  const agent = await sell(source, 'loud')
  await untilFindable(market.url, 'writes a text loudly', 'loud')
  const { job, paid } = await hire('loud', agent.agentId(), 'Write a text loudly, text: "hi; echo $HOME"')
  expect(job).toMatchObject({ state: 'settled', deliverable: 'HI; ECHO $HOME!\n' })
  expect(paid).toBe(0.02)
})

test('a buyer reads the last line of a failing program, not its paths; input cannot add options; it ends at the deadline', async () => {
  const run = (script: string, more: string[] = []) =>
    openCommand({ command: [process.execPath, '-e', script, ...more], name: 'p', description: 'p', env })
  const failing = call(run('console.error("  at /home/seller/rates.py\\nno such city"); process.exit(3)'), 'p', {})
  await expect(failing).rejects.toThrow(/^no such city$/)
  await expect(call(run('', ['{text}']), 'p', { text: '--inspect' })).rejects.toThrow('may not begin with a dash')
  const endless = run('setInterval(() => 0, 1000)')
  await expect(endless.call({ id: 'p', input: {}, text: '', signal: AbortSignal.timeout(50) })).rejects.toThrow(/abort/i)
})
