import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { parseJson } from '../../src/domain/json.ts'
import { start } from '../cli/program.ts'
import { openPresent } from '../mcp/clients.ts'
import { chainId } from '../soak/bsc.ts'
import { handles, openPublicMarket, type PublicMarket, startUsdc } from '../soak/market.ts'
import { ask, rested, talk } from './market.ts'

let market: PublicMarket
beforeAll(async () => {
  market = await openPublicMarket({ blockSeconds: 1, confirmations: 1, users: 2 })
}, 300_000)
afterAll(() => market?.close())

const userAt = (nth: number) => {
  const user = market.users[nth]
  if (!user) throw new RangeError(`no user ${nth}`)
  return { ...user, url: market.url }
}
const amounts = z.object({ balances: z.array(z.object({ chain_id: z.number(), usdc: z.string() })) })
const heldBy = async (nth: number) => amounts.parse(await userAt(nth).client.get('/v1/wallets/me')).balances

test('where only a chain with real money is served, the butler and every search use it without a chain id', async () => {
  const user = userAt(0)
  const found = await ask(user, '/offerings/search?query=haiku', { method: 'GET' })
  expect(found).toMatchObject({ status: 200, body: { offerings: expect.arrayContaining([expect.anything()]) } })
  const { say } = talk(user)
  const proposed = await say(`Hire agent ${handles.good} to write a haiku`)
  expect(proposed.data).toMatchObject({ chain_id: chainId, proposal: { price: '0.4', total: '0.4' } })
  expect(proposed.content).toContain('0.4 USDC')
  const { run_id: runId } = await say('yes')
  expect((await rested(user, runId)).job?.state).toBe('settled')
  expect(await heldBy(0)).toEqual([expect.objectContaining({ chain_id: chainId, usdc: `${startUsdc - 0.4}` })])
}, 120_000)

test('where only real money is served, nothing that may move it is done without a chain id', async () => {
  const user = userAt(1)
  const limits = { max_per_job: '0.5', max_per_period: '1', period: 'day' }
  for (const [path, body] of [
    ['/v1/mandates', limits],
    ['/v1/withdrawals', { amount: '1' }],
    ['/v1/purchases', { url: 'https://example.com/' }],
  ] as const)
    expect(await ask(user, path, { body })).toMatchObject({
      ...{ status: 422, code: 'chain-not-supported' },
      body: { detail: expect.stringContaining('56'), pointer: '/chain_id' },
    })
  expect(await heldBy(1)).toEqual([expect.objectContaining({ usdc: `${startUsdc}` })])
})

test('18 decimals are read and written as amounts of USDC, by mandates, words and withdrawals', async () => {
  const user = userAt(1)
  const limits = { max_per_job: '0.5', max_per_period: '1.000000000000000001', period: 'day', chain_id: chainId }
  const made = await ask(user, '/v1/mandates', { body: limits })
  expect(made.body).toMatchObject({ max_per_job: '0.5', max_per_period: '1.000000000000000001', left: '1.000000000000000001' })
  const { say } = talk(user)
  const { content, run_id: runId } = await say(`Hire agent ${handles.good} to write a haiku`)
  expect(content).toContain('0.39 USDC')
  expect((await rested(user, runId)).job?.state).toBe('settled')
  const listed = await ask(user, '/v1/mandates', { method: 'GET' })
  expect(listed.body).toMatchObject({ mandates: [{ used: '0.4', left: '0.600000000000000001' }] })
}, 120_000)

test('the command line hires, searches, limits and withdraws on a chain that it names', async () => {
  const user = userAt(0)
  const env = { SERVICE_ENDPOINT: market.url, SERVICE_PROXY_AUTH: user.token, XDG_CONFIG_HOME: join(market.dir, 'config') }
  const on = ['--chain', `${chainId}`, '--json']
  const run = async (...args: string[]) => {
    const { code, out, err } = await start(args, { env }).ended
    return { code, err, result: parseJson(out.trimEnd().split('\n').at(-1) ?? '') }
  }
  const task = `Hire agent ${handles.good} to write a haiku`
  expect(await run('hire', task, '--yes', '--max', '0.4', ...on)).toMatchObject({
    code: 0,
    result: { state: 'settled', paid: '0.39' },
  })
  expect((await run('search', 'haiku', ...on)).result).toMatchObject({ offerings: expect.arrayContaining([expect.anything()]) })
  const limited = await run('mandate', 'set', '--per-job', '0.1', '--per-period', '0.2', ...on)
  expect(limited.result).toMatchObject({ chain_id: chainId, max_per_job: '0.1' })
  expect(await run('wallet', 'withdraw', '0.000000000000000001', ...on)).toMatchObject({ code: 0, result: { chain_id: chainId } })
  expect(await run('wallet', 'withdraw', '1', '--json')).toMatchObject({ code: 1, result: { code: 'chain-not-supported' } })
  expect((await run('hire', task, '--chain', 'x', '--json')).err).toContain('chain')
}, 180_000)

test('tools of MCP use the served chain without a chain id, and name it before money moves', async () => {
  const user = userAt(0)
  const headers = { authorization: `Bearer ${user.token}` }
  const host = await openPresent(new StreamableHTTPClientTransport(new URL(`${market.url}/mcp`), { requestInit: { headers } }))
  const found = await host.call('search_offerings', { query: 'haiku' })
  expect(found.structuredContent).toMatchObject({ offerings: expect.arrayContaining([expect.anything()]) })
  const proposed = await host.call('propose_hire', { task: `Hire agent ${handles.good} to write a haiku` })
  expect(proposed.structuredContent).toMatchObject({ proposal: { total: '0.4' } })
  const written = (await host.tools()).flatMap(it => (JSON.stringify(it.inputSchema).includes('"default":97') ? [it.name] : []))
  expect(written).toEqual([])
  await host.close()
}, 120_000)
