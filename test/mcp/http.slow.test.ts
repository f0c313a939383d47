import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cityClock } from '../../docs/examples/agents/cityClock.ts'
import { openSession } from '../../src/cli/session.ts'
import type { RunningAgent } from '../../src/kit/kit.ts'
import { send, untilFindable } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'
import { type Host, openAsking, openFormer, openPresent, task, toResult, toRun } from './clients.ts'
import { confirmWithPerson, hire } from './person.ts'

let market: TestService
let clock: RunningAgent
const hosts: Host[] = []

const dial = {
  'the library of 2025': (url: string, token?: string) => openFormer(new FormerTransport(new URL(`${url}/mcp`), init(token))),
  'the library of 2026': (url: string, token?: string) =>
    openPresent(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), init(token))),
}
const init = (token?: string) => ({ requestInit: { headers: token ? { authorization: `Bearer ${token}` } : {} } })

const connect = async (library: keyof typeof dial, token?: string): Promise<Host> => {
  const host = await dial[library](market.url, token)
  hosts.push(host)
  return host
}

beforeAll(async () => {
  market = await startTestService()
  const credential = { privateKey: generatePrivateKey() }
  clock = await cityClock({ platformUrl: market.url, credential, pollPauseMs: 20 }).start()
  await untilFindable(market.url, 'time in Tokyo', 'city-clock')
})
afterAll(async () => {
  await Promise.all(hosts.map(it => it.close()))
  await clock.stop()
  await market.stop()
})

describe.each(['the library of 2025', 'the library of 2026'] as const)('%s', library => {
  test('hires end to end without a token, as the demo user of the local world', async () => {
    const { offerings, proposed, confirmed, looked } = await hire(await connect(library))
    expect(offerings[0]).toMatchObject({ agent_handle: 'city-clock', price: '0.05' })
    expect(proposed).toMatchObject({ state: 'awaiting-confirmation', proposal: { total: '0.05' } })
    expect(proposed.job).toBeUndefined()
    expect(confirmed).toMatchObject({ state: 'completed', job: { state: 'settled', amount: '0.05' } })
    expect(looked).toMatchObject({ state: 'completed', job: { state: 'settled', deliverable: confirmed.job?.deliverable } })
  })

  test('finds the questions of a run that waits for an answer', async () => {
    const host = await connect(library)
    const { run_id } = toRun(await host.call('propose_hire', { task: 'Hire agent city-clock to tell the local time' }))
    const { state, questions } = toRun(await host.call('get_run', { run_id }))
    expect({ state, questions }).toMatchObject({
      state: 'awaiting-input',
      questions: [{ field: 'city', form: { type: 'string' } }],
    })
  })

  test('hires for the user of its bearer token, whose run nobody else reads', async () => {
    const { token, client } = await market.user(`bearer of ${library}`)
    const browser = await market.browserOf(`bearer of ${library}`)
    const { looked } = await hire(await connect(library, token), browser.token)
    expect(looked.job?.state).toBe('settled')
    expect(await client.get(`/runs/${looked.run_id}`)).toMatchObject({ run_id: looked.run_id })
    const stranger = await connect(library)
    const refused = await stranger.call('get_run', { run_id: looked.run_id })
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('run-not-found') }] })
  })
})

const dialAsking = async (token: string, say: (question: string) => boolean | undefined) =>
  openAsking(new StreamableHTTPClientTransport(new URL(`${market.url}/mcp`), init(token)), say)

test('hire asks the user through the client, and hires on the terms that were shown', async () => {
  const { token, proxy, client: http } = await market.user('asked')
  const shown: string[] = []
  const client = await dialAsking(token, question => {
    shown.push(question)
    return true
  })
  const hired = toRun(toResult(await client.callTool({ name: 'hire', arguments: { task } })))
  expect(hired).toMatchObject({ state: 'completed', job: { state: 'settled', amount: '0.05' } })
  expect(shown).toEqual([expect.stringContaining('0.05 USDC')])
  expect(await http.get(`/balances/${proxy}`)).toMatchObject({ usdc: '24.95' })
  await client.close()
})

test.each([[false], [undefined]])('a user who answers %s hires nothing', async said => {
  const { token, proxy, client: http } = await market.user(`refuses ${said}`)
  const client = await dialAsking(token, () => said)
  const left = toRun(toResult(await client.callTool({ name: 'hire', arguments: { task } })))
  expect(left).toMatchObject({ state: 'completed' })
  expect(left.job).toBeUndefined()
  expect(await http.get(`/balances/${proxy}`)).toMatchObject({ usdc: '25' })
  await client.close()
})

test.each(['the library of 2025', 'the library of 2026'] as const)(
  'hire in a client that cannot ask its user (%s) gives the address where the user answers, and waits there for the yes',
  async library => {
    const name = `mute host of ${library}`
    const { token, proxy, client: http } = await market.user(name)
    const host = await connect(library, token)
    const hired = await host.call('hire', { task })
    const told = toRun(hired)
    const { run_id, state, proposal, approve_url = '-' } = told
    expect([hired.isError, state, proposal?.total]).toEqual([false, 'awaiting-confirmation', '0.05'])
    expect(approve_url).toMatch(new RegExp(`^${market.url}/app/yes/${run_id}\\?code=[0-9a-f]{44}$`))
    for (const said of [told.next_step, hired.content[0]?.text ?? ''])
      for (const part of ['Show this proposal to your user', approve_url, 'confirm_hire', run_id, proposal?.digest ?? '-'])
        expect(said).toContain(part)
    const early = await host.call('confirm_hire', { run_id, digest: proposal?.digest ?? '', decision: 'yes', wait_ms: 0 })
    expect(toRun(early)).toMatchObject({ state: 'awaiting-confirmation', approve_url })
    expect(await http.get(`/balances/${proxy}`)).toMatchObject({ usdc: '25' })
    const { token: browser } = await market.browserOf(name)
    expect((await confirmWithPerson(host, told, browser)).job?.state).toBe('settled')
    const again = await host.call('confirm_hire', { run_id, digest: proposal?.digest ?? '', decision: 'yes' })
    expect(toRun(again)).toMatchObject({ state: 'completed', job: { state: 'settled' } })
    expect(toRun(again).approve_url).toBeUndefined()
    expect(await http.get(`/balances/${proxy}`)).toMatchObject({ usdc: '24.95' })
  },
)

test('an answer whose state was tampered with hires nothing', async () => {
  const { token, proxy, client: http } = await market.user('forger')
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const { run_id, proposal } = toRun(await (await connect('the library of 2026', token)).call('propose_hire', { task }))
  const state = { p: { run_id, digest: proposal?.digest }, exp: 9_999_999_999 }
  const forged = Buffer.from(JSON.stringify(state)).toString('base64url')
  const params = {
    name: 'hire',
    arguments: { task },
    requestState: `v1.${forged}.AAAA`,
    inputResponses: { terms: { action: 'accept', content: { hire: true } } },
    _meta: meta,
  }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'hire',
    authorization: `Bearer ${token}`,
  }
  const answer = await fetch(`${market.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  expect(await answer.text()).toContain('"code":-32602')
  expect(await http.get(`/balances/${proxy}`)).toMatchObject({ usdc: '25' })
})

test('the events, the payments and the proposal of a run are readable only by its user', async () => {
  const { token } = await market.user('reader')
  const host = await connect('the library of 2026', token)
  const { looked } = await hire(host, (await market.browserOf('reader')).token)
  const { run_id } = looked
  const structured = async (name: string, input: Record<string, unknown>) => (await host.call(name, input)).structuredContent
  expect(await structured('list_run_events', { run_id })).toMatchObject({
    events: expect.arrayContaining([expect.objectContaining({ type: 'job.settled' })]),
  })
  expect(await structured('list_payments', { run_id })).toMatchObject({ payments: [{ type: 'escrow' }, { type: 'payout' }] })
  expect(await structured('list_jobs', {})).toMatchObject({ jobs: [{ status: 'completed' }] })
  expect(await structured('get_wallet', {})).toMatchObject({ ethereum: expect.any(String) })
  expect(await structured('list_rankings', {})).toMatchObject({ rankings: [{ rank: 1 }] })
  const client = await dialAsking(token, () => undefined)
  const receipt = await client.readResource({ uri: `market://receipts/${run_id}` })
  expect(JSON.stringify(receipt)).toContain('payout')
  expect((await client.listResourceTemplates()).resourceTemplates.map(it => it.name)).toEqual([
    'offering',
    'run',
    'job',
    'receipt',
  ])
  const prompt = await client.getPrompt({ name: 'hire_an_agent', arguments: { task } })
  expect(JSON.stringify(prompt.messages)).toContain('propose_hire')
  await client.close()
  const other = await dialAsking((await market.user('other reader')).token, () => undefined)
  await expect(other.readResource({ uri: `market://receipts/${run_id}` })).rejects.toMatchObject({ code: -32602 })
  await other.close()
})

test('row 52: no words and no digest pay, and a no through the model declines', async () => {
  const { token, proxy, client } = await market.user('careful')
  const host = await connect('the library of 2026', token)
  const spent = async () => client.get(`/balances/${proxy}`)
  const { run_id, conversation_id, proposal } = toRun(await host.call('propose_hire', { task }))
  const said = await host.call('propose_hire', { task: 'yes', conversation_id })
  expect(said).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^person-needed: .*confirm_hire/) }] })
  const wrong = await host.call('confirm_hire', { run_id, digest: '00000000', decision: 'yes' })
  expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('proposal-changed') }] })
  expect(toRun(await host.call('get_run', { run_id }))).toMatchObject({ state: 'awaiting-confirmation' })
  expect(await spent()).toMatchObject({ usdc: '25' })
  const left = await host.call('confirm_hire', { run_id, digest: proposal?.digest ?? '', decision: 'no' })
  expect(toRun(left)).toMatchObject({ state: 'completed' })
  expect(toRun(left).job).toBeUndefined()
  expect(await spent()).toMatchObject({ usdc: '25' })
})

test('a repeated yes pays once', async () => {
  const { token, proxy, client } = await market.user('twice')
  const { token: browser } = await market.browserOf('twice')
  const host = await connect('the library of 2026', token)
  const told = toRun(await host.call('propose_hire', { task }))
  const both = await Promise.all([confirmWithPerson(host, told, browser), confirmWithPerson(host, told, browser)])
  expect(both.map(it => it.job?.state)).toEqual(['settled', 'settled'])
  expect(await client.get(`/balances/${proxy}`)).toMatchObject({ usdc: '24.95' })
})

test('invalid arguments are an error result, not a broken connection', async () => {
  const host = await connect('the library of 2026')
  expect(await host.call('search_offerings', { query: 7 })).toMatchObject({ isError: true })
  expect(await host.call('search_offerings', { query: 'time\0' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('invalid-input') }],
  })
  expect(await host.call('search_offerings', { query: task })).toMatchObject({ isError: false })
})

const list = (headers: Record<string, string>, url = market.url) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

test('row 49: requests from a page of another site and with a rebound host name are refused', async () => {
  expect((await list({})).status).toBe(200)
  expect((await list({ origin: 'http://localhost:3000' })).status).toBe(200)
  expect((await list({ origin: 'https://evil.example' })).status).toBe(403)
  const rebound = await send(market.url, { method: 'POST', path: '/mcp', headers: { host: 'evil.example' }, body: '{}' })
  expect(rebound.status).toBe(403)
})

test('an invalid bearer token is refused before any tool is reached, also where none is required', async () => {
  const answer = await list({ authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })
  expect(answer.status).toBe(401)
  const [, metadata = ''] =
    /^Bearer scope="look hire", resource_metadata="(.+)"$/.exec(answer.headers.get('www-authenticate') ?? '') ?? []
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: `${market.url}/mcp`,
    authorization_servers: [market.url],
  })
  expect(await answer.json()).toMatchObject({ code: 'invalid-token' })
})

test('the demo user of the endpoint is the demo user of the command line', async () => {
  const { token } = await openSession({ url: market.url, file: `${market.dir}/demo-user.json` })
  const { run_id } = toRun(await (await connect('the library of 2025')).call('propose_hire', { task }))
  expect(toRun(await (await connect('the library of 2025', token)).call('get_run', { run_id }))).toMatchObject({ run_id })
})

test('a proposal by tool says what it leaves out', async () => {
  const { token } = await market.user('exact')
  const host = await connect('the library of 2026', token)
  const { proposal, content } = toRun(await host.call('propose_hire', { task: 'What time is it in Tokyo, in blue letters?' }))
  expect(proposal).toMatchObject({ left_out: ['in blue letters'], made: [] })
  expect(content).toContain('Left out: in blue letters.')
})
