import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { untilFindable } from '../http/wire.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { openFormerAsking, openPresent, task, toResult, toRun } from './clients.ts'
import { answerAt, toAsked } from './person.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await market.cityClock()
  await untilFindable(market.url, 'time in Tokyo', 'city-clock')
})
afterAll(() => market?.stop())

const at = (token: string) =>
  [new URL(`${market.url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } }] as const

type Say = Parameters<typeof openFormerAsking>[1]
const dial = async (token: string, say: Say) => {
  const transport = new FormerTransport(...at(token))
  const client = await openFormerAsking(transport, say)
  const call = async (name: string, input: Record<string, unknown>) => toResult(await client.callTool({ name, arguments: input }))
  return { call, session: transport.sessionId ?? '', close: () => client.close() }
}

test('a client of 2025 over HTTP that can ask its user is asked, and the answer counts for the terms that were shown', async () => {
  const { token, proxy, client: http } = await market.user('asked')
  const says: { heard: string[]; answer: boolean | undefined } = { heard: [], answer: undefined }
  const client = await dial(token, question => {
    says.heard.push(question)
    return says.answer
  })
  for (const answer of [undefined, false]) {
    says.answer = answer
    expect(toRun(await client.call('hire', { task })).job).toBeUndefined()
    expect((await client.call('withdraw', { amount: '5' })).structuredContent).toMatchObject({ done: false })
  }
  expect(await http.get(`/balances/${proxy}`)).toMatchObject({ usdc: '25' })
  says.answer = true
  expect(toRun(await client.call('hire', { task }))).toMatchObject({
    state: 'completed',
    job: { state: 'settled', amount: '0.05' },
  })
  const { run_id, proposal, approve_url } = toRun(await client.call('propose_hire', { task }))
  expect(approve_url).toBeUndefined()
  const yes = { run_id, digest: proposal?.digest ?? '', decision: 'yes' }
  expect(toRun(await client.call('confirm_hire', yes)).job?.state).toBe('settled')
  expect(says.heard).toHaveLength(6)
  for (const said of says.heard.filter(it => !it.startsWith('Send'))) expect(said).toContain('0.05 USDC')
  expect(await http.get(`/balances/${proxy}`)).toMatchObject({ usdc: '24.9' })
  await client.close()
})

test('each request in a session acts for its own token, and questions of one user never reach another', async () => {
  const [ada, bob] = await Promise.all([market.user('ada'), market.user('bob')])
  const heard: string[] = []
  const clients = await Promise.all([ada, bob].map(({ token }, nth) => dial(token, () => heard.push(`user ${nth}`) > 2)))
  const wallets = await Promise.all(clients.map(it => it.call('get_wallet', {})))
  expect(wallets.map(it => it.structuredContent)).toMatchObject([{ ethereum: ada.proxy }, { ethereum: bob.proxy }])
  await Promise.all(clients.map(it => it.call('hire', { task })))
  expect(heard.toSorted()).toEqual(['user 0', 'user 1'])
  expect(new Set(clients.map(it => it.session)).size).toBe(2)
  await Promise.all(clients.map(it => it.close()))
})

const mcp = async (token: string, session: string, body: unknown) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const answer = await fetch(`${market.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}`, 'mcp-session-id': session },
    body: JSON.stringify(body),
  })
  return { status: answer.status, session: answer.headers.get('mcp-session-id'), text: await answer.text() }
}
const toCall = (name: string, input: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: input },
})

test('the session of another user, or one that has ended, asks nobody and pays nothing', async () => {
  const [{ token }, thief] = await Promise.all([market.user('owner'), market.user('thief')])
  const heard: string[] = []
  const client = await dial(token, question => heard.push(question) > 0)
  const stolen = await mcp(thief.token, client.session, toCall('hire', { task }))
  expect(stolen).toMatchObject({ status: 200, session: null, text: expect.stringContaining('/app/yes/') })
  const unknown = await mcp(token, crypto.randomUUID(), toCall('hire', { task }))
  expect(unknown).toMatchObject({ status: 200, session: null, text: expect.stringContaining('/app/yes/') })
  expect(heard).toEqual([])
  await client.close()
})

test('a user has a few sessions, a session a few open requests, and what is over is refused or ends the oldest', async () => {
  const { token } = await market.user('many')
  const pending = Promise.withResolvers<boolean>()
  const first = await dial(token, () => pending.promise)
  const open = Array.from({ length: limits.mcpRequestsOfSession }, () => first.call('withdraw', { amount: '1' }))
  const refused = await Promise.race([...open, first.call('withdraw', { amount: '1' }).catch((error: unknown) => String(error))])
  expect(refused).toContain('too-many-streams')
  pending.resolve(false)
  expect((await Promise.all(open)).map(it => it.structuredContent?.done)).toEqual(open.map(() => false))
  const others = await Promise.all(Array.from({ length: limits.mcpSessionsOfUser }, () => dial(token, () => false)))
  // The oldest session has ended, so its client cannot be asked any more.
  expect(toRun(await first.call('hire', { task })).approve_url).toContain('/app/yes/')
  await Promise.all([first, ...others].map(it => it.close()))
})

test('a connection that is closed while its user is asked frees its place in the session', async () => {
  const { token } = await market.user('hangs up')
  const asking = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo: { name: 'raw', version: '1' } }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const send = (body: unknown, more: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${market.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}`, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...(body as object) }),
      ...(signal && { signal }),
    })
  const begun = await send({ id: 1, method: 'initialize', params: asking })
  expect(await begun.text()).toContain('"protocolVersion":"2025-06-18"')
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  await send({ method: 'notifications/initialized' }, session)
  const ask = async (id: number, signal?: AbortSignal) => {
    const answer = await send(
      { id, method: 'tools/call', params: { name: 'withdraw', arguments: { amount: '1' } } },
      session,
      signal,
    )
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    return { status: answer.status, first: answer.status === 200 ? (await reader?.read())?.value : undefined }
  }
  const line = new AbortController()
  const open = await Promise.all(Array.from({ length: limits.mcpRequestsOfSession }, (_, nth) => ask(nth + 2, line.signal)))
  for (const it of open) expect(it.first).toContain('elicitation/create')
  expect((await ask(90)).status).toBe(429)
  line.abort()
  let next = 100
  await until('a free place', async () => {
    next += 1
    return (await ask(next)).status === 200
  })
  const said = await mcp(token, session['mcp-session-id'], {
    jsonrpc: '2.0',
    id: 0,
    result: { action: 'accept', content: { withdraw: true } },
  })
  expect(said.status).toBe(202)
  expect(await (await market.user('hangs up')).client.get('/v1/withdrawals')).toEqual({ withdrawals: [] })
})

const say = { 2025: { elicitation: { url: {} } }, 2026: { elicitation: { url: {} } } }

test('a client of 2025 that can only open addresses opens that of the page, where the user says yes', async () => {
  const { token } = await market.user('opens in 2025')
  const browser = await market.browserOf('opens in 2025')
  const client = new FormerClient({ name: 'test-host', version: '1' }, { capabilities: say[2025] })
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    if (!('url' in params)) return { action: 'decline' as const }
    await answerAt(params.url, 'yes', browser.token)
    return { action: 'accept' as const }
  })
  await client.connect(new FormerTransport(...at(token)))
  const hired = toRun(toResult(await client.callTool({ name: 'hire', arguments: { task } }, CallToolResultSchema)))
  expect(hired.job?.state).toBe('settled')
  await client.close()
})

test('a client of 2026 that opens the page has not agreed, and a user who does not open it hires nobody', async () => {
  const { token, proxy, client: http } = await market.user('opens in 2026')
  const browser = await market.browserOf('opens in 2026')
  const says = { action: 'decline' as 'accept' | 'decline', page: 'no' as 'yes' | 'no' }
  const client = new Client(
    { name: 'test-host', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: say[2026] },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (!('url' in params)) throw new TypeError('A form was sent to a client without forms.')
    if (says.action === 'accept') await answerAt(params.url, says.page, browser.token)
    return { action: says.action }
  })
  await client.connect(new StreamableHTTPClientTransport(...at(token)))
  const hire = async () => toRun(toResult(await client.callTool({ name: 'hire', arguments: { task } })))
  expect(await hire()).toMatchObject({ state: 'completed' })
  says.action = 'accept'
  expect((await hire()).job).toBeUndefined()
  expect(await http.get(`/balances/${proxy}`)).toMatchObject({ usdc: '25' })
  says.page = 'yes'
  expect((await hire()).job?.state).toBe('settled')
  await client.close()
})

test('a waiting tool tells its progress: first where the user answers, then the job', async () => {
  const { token } = await market.user('patient')
  const browser = await market.browserOf('patient')
  const host = await openPresent(new StreamableHTTPClientTransport(...at(token)))
  const { run_id, proposal, approve_url = '' } = toRun(await host.call('propose_hire', { task }))
  await host.close()
  const client = new FormerClient({ name: 'test-host', version: '1' })
  await client.connect(new FormerTransport(...at(token)))
  const told: string[] = []
  const yes = { run_id, digest: proposal?.digest ?? '', decision: 'yes' }
  const waited = await client.callTool({ name: 'confirm_hire', arguments: yes }, CallToolResultSchema, {
    onprogress: ({ message = '' }) => {
      if (told.push(message) === 1) void answerAt(message.split(' ').at(-1) ?? '', 'yes', browser.token)
    },
  })
  expect(told[0]).toBe(`Waiting for your user to answer at ${approve_url}`)
  expect(toAsked(approve_url).isDemo).toBe(false)
  expect(toRun(toResult(waited)).job?.state).toBe('settled')
  await client.close()
})
