import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, pathOf, plain, rested, talk } from '../hire/market.ts'
import { openUser, type TestService, until } from '../service.ts'
import { server } from '../store/server.ts'
import { openSharedMarket, type SharedMarket } from './sharedMarket.ts'

let market: SharedMarket
let [one, two]: TestService[] = []
const here = () => one ?? fail('one')
const there = () => two ?? fail('two')
const fail = (name: string): never => {
  throw new Error(`service ${name} did not start`)
}

const found = z.object({ offerings: z.array(z.object({ agent_handle: z.string() })) })
const isFound = async (at: TestService, handle: string) =>
  found.parse((await ask(at, '/offerings/search?query=haiku&limit=20')).body).offerings.some(it => it.agent_handle === handle)

const haiku = {
  ...{ id: 'haiku', name: 'Write a haiku', description: 'Writes a short poem.' },
  price_v2: { type: 'fixed', amount: 0.5, currency: 'USDC' },
}

describe.skipIf(!server)('two services on one PostgreSQL database', () => {
  beforeAll(async () => {
    market = await openSharedMarket(2)
    ;[one, two] = market.services
  })
  afterAll(() => market?.close())

  const poet = (handle: string) => here().agent({ handle, offerings: [plain('0.5')], handler: async () => 'An old silent pond' })

  test('an offering registered or withdrawn at one is found or gone at the other', async () => {
    const { client } = await here().user('poet')
    const offer = (job_offerings: object[]) =>
      client.post('/agents/register', { handle: 'poet-of-one', name: 'Poet', chain_id: 97, job_offerings })
    await offer([haiku])
    await until('the offering to be found there', () => isFound(there(), 'poet-of-one'))
    await offer([])
    await until('the offering to be gone there', async () => !(await isFound(there(), 'poet-of-one')))
  })

  test('a hire begun at one and approved at the other is delivered, settled once, and read alike at both', async () => {
    const agent = await poet('poet-of-both')
    await until('the offering to be found there', () => isFound(there(), 'poet-of-both'))
    const user = await here().user('ann')
    await market.mint(user.proxy)
    const chat = talk(user)
    await chat.say('Hire agent poet-of-both to write a haiku')
    const same = await openUser(there().url, `${here().dir}/ann.json`)
    const { run_id: runId } = await talk(same, chat.conversationId).say('yes', 0)
    const run = await rested(same, runId)
    expect(run.job?.state).toBe('settled')
    expect(await pathOf(user, runId)).toEqual(await pathOf(same, runId))
    expect((await pathOf(user, runId)).filter(it => it === 'settled')).toHaveLength(1)
    await agent.stop()
  })

  test('a yes by nonce or by question, made at one and answered at the other, counts there, and once in all', async () => {
    const agent = await poet('poet-of-tools')
    await until('the offering to be found there', () => isFound(there(), 'poet-of-tools'))
    const { token, proxy } = await here().user('tool-user')
    await market.mint(proxy)
    const wish = { task: 'Hire agent poet-of-tools to write a haiku' }
    const hires = async () => {
      const { store } = here().service.world.deps
      return (await store.ledger({ account: `wallet:${proxy}` })).filter(it => it.amount < 0n).length
    }

    const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
    const apps = await Promise.all([here(), there()].map(at => openHost(balanced([at]), token, { extensions })))
    const propose = async () => {
      const { _meta } = (await apps[0]?.callTool({ name: 'propose_hire', arguments: wish })) ?? {}
      return z.string().parse(_meta?.['agent-market/nonce'])
    }
    const nonce = await propose()
    const slip = { name: 'confirm_slip', arguments: { nonce, decision: 'yes' } }
    const answers = await Promise.all([...apps, ...apps].map(it => it.callTool(slip)))
    expect(answers.filter(it => it.isError !== true)).toHaveLength(1)
    await until('the payment of one hire', async () => (await hires()) === 1)
    const declined = await apps[1]?.callTool({ name: 'confirm_slip', arguments: { nonce: await propose(), decision: 'no' } })
    expect(declined?.isError).not.toBe(true)

    const asking = await openHost(balanced([here(), there()]), token, { elicitation: { form: {} } })
    asking.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { hire: true } }))
    expect((await asking.callTool({ name: 'hire', arguments: wish })).isError).not.toBe(true)
    await until('the payment of the next', async () => (await hires()) === 2)
    await Promise.all([...apps, asking].map(it => it.close()))
    await agent.stop()
  })
})

/** Sends each request to the next service, as a load balancer does. */
const balanced = (services: TestService[]): typeof fetch => {
  let sent = 0
  return (_url, init) => fetch(`${services[sent++ % services.length]?.url}/mcp`, init)
}

/** A host program of the 2026 protocol, whose requests do not depend on each other. */
const openHost = async (over: typeof fetch, token: string, capabilities: object) => {
  const versionNegotiation = { mode: { pin: '2026-07-28' } } as const
  const host = new Client({ name: 'host', version: '1' }, { versionNegotiation, capabilities })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await host.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { requestInit, fetch: over }))
  return host
}

describe.skipIf(!server)('two services whose clocks do not move, so that no cache entry expires', () => {
  let market: SharedMarket
  afterAll(() => market?.close())

  test('an agent made strict or open at one is so at the other, also after a lost notification connection', async () => {
    const startedAt = Date.now()
    market = await openSharedMarket(2, { now: () => startedAt })
    const [one, two] = market.services
    if (!one || !two) throw new Error('two services did not start')
    const owner = await one.user('owner')
    await owner.client.post('/agents/register', { handle: 'guarded', name: 'guarded', chain_id: 97, job_offerings: [] })
    const isAnswered = (status: number) => async () =>
      (await ask(two, '/gateway/jobs/poll?agent=guarded&timeout=0')).status === status
    await until('the agent to be open', isAnswered(200))
    for (const [mode, status] of [
      ['strict', 401],
      ['open', 200],
      ['strict', 401],
    ] as const) {
      await ask({ url: one.url, token: owner.token }, '/agents/guarded/gateway-mode', { method: 'PUT', body: { mode } })
      await until(`the poll to answer ${status}`, isAnswered(status))
      await cutListeners(market.databaseUrl)
    }
  })
})

describe.skipIf(!server)('two services after a change of the key that signs tokens', () => {
  let market: SharedMarket
  afterAll(() => market?.close())

  test('a token of the one is valid at the other at once, for requests at the same moment', async () => {
    market = await openSharedMarket(2)
    const [one, two] = market.services
    if (!one || !two) throw new Error('two services did not start')
    await run(market.databaseUrl, 'update token_key set made_at = 0')
    await one.restart()
    const { token } = await one.user('ann')
    const asked = Array.from({ length: 8 }, () => ask({ url: two.url, token }, '/v1/wallets/me'))
    expect((await Promise.all(asked)).map(it => it.status)).toEqual(asked.map(() => 200))
  })
})

/** Terminates the database connections that listen for notifications, like a network failure. */
const cutListeners = (url: string) =>
  run(url, `select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'`)

const run = async (url: string, statement: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
