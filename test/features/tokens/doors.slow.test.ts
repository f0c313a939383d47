import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { parseJson } from '../../../src/domain/json.ts'
import { start } from '../../cli/program.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { openAsking, openPresent, toResult } from '../../mcp/clients.ts'
import { startTestService, type TestService, type User } from '../../service.ts'

let market: TestService
let owner: User
let buyer: User
beforeAll(async () => {
  market = await startTestService()
  await provider(market, plain('0.1'), 'coiner')
  owner = await market.user('owner-coiner')
  buyer = await market.user('buyer')
})
afterAll(() => market?.stop())

const record = z.object({ circulating: z.string(), reserve: z.string() })
const read = async () => record.parse((await ask({ url: market.url }, '/tokens/coiner')).body)

const run = (user: User, ...args: string[]) => command(user, 'token', ...args)
const command = async ({ token }: User, ...args: string[]) => {
  const env = { SERVICE_ENDPOINT: market.url, XDG_CONFIG_HOME: join(market.dir, 'config'), SERVICE_PROXY_AUTH: token }
  const { code, out } = await start([...args, '--json'], { env }).ended
  return { code, object: parseJson(out.trimEnd().split('\n').at(-1) ?? '') }
}

test('by the command line a token is launched, quoted, bought, sold and shown; without a yes nothing happens', async () => {
  const names = ['--name', 'Coiner', '--symbol', 'COIN']
  expect(await run(owner, 'launch', 'coiner', ...names)).toMatchObject({
    code: 1,
    object: { error: expect.stringContaining('--yes') },
  })
  expect(await run(owner, 'launch', 'coiner', ...names, '--yes')).toMatchObject({ code: 0, object: { status: 'launched' } })
  expect(await run(buyer, 'show', 'coiner')).toMatchObject({ code: 0, object: { symbol: 'COIN', circulating: '0' } })
  expect(await run(buyer, 'quote', 'buy', 'coiner', '2')).toMatchObject({ code: 0, object: { amount_in: '2', asset: 'USDC' } })
  expect(await run(buyer, 'buy', 'coiner', '2')).toMatchObject({
    code: 1,
    object: { error: expect.stringContaining('Pay 2 USDC') },
  })
  expect(await read()).toMatchObject({ circulating: '0' })
  const bought = await run(buyer, 'buy', 'coiner', '2', '--yes')
  expect(bought).toMatchObject({ code: 0, object: { status: 'done' } })
  const { received } = z.object({ received: z.string() }).parse(bought.object)
  expect(await run(buyer, 'holdings')).toMatchObject({ object: { holdings: [{ symbol: 'COIN', balance: received }] } })
  const withdrawn = await command(buyer, 'wallet', 'withdraw', '9999999999', '--asset', 'coiner')
  expect(withdrawn).toMatchObject({ code: 1, object: { code: 'insufficient-funds', error: expect.stringContaining('COIN') } })
  expect(await run(buyer, 'sell', 'coiner', received, '--yes')).toMatchObject({
    code: 0,
    object: { status: 'done', asset: 'USDC' },
  })
  expect(await read()).toMatchObject({ circulating: '0' })
  expect(await run(owner, 'fees', 'coiner')).toMatchObject({ code: 0, object: { currency: 'USDC', status: 'pending' } })
  expect(await run(buyer, 'fees', 'coiner')).toMatchObject({ code: 1, object: { code: 'agent-not-found' } })
  expect(await run(buyer, 'list')).toMatchObject({ object: { total: 1 } })
  expect(await run(buyer, 'sell', 'coiner', '1', '--yes')).toMatchObject({ code: 1, object: { code: 'insufficient-funds' } })
})

test('by MCP a trade is made once, after the yes that the client’s user gave to its terms, and by no client that cannot ask', async () => {
  const at = [new URL(`${market.url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${buyer.token}` } } }] as const
  const order = { token: 'coiner', side: 'buy', amount: '1.5' }
  const silent = await openPresent(new StreamableHTTPClientTransport(...at))
  const quoted = (await silent.call('trade_token', order)).structuredContent
  expect(quoted).toMatchObject({ done: false, amount_in: '1.5', next_step: expect.stringContaining('http') })
  await silent.close()
  const says = { answer: false, heard: [] as string[] }
  const client = await openAsking(new StreamableHTTPClientTransport(...at), question => {
    says.heard.push(question)
    return says.answer
  })
  const call = async () => toResult(await client.callTool({ name: 'trade_token', arguments: order })).structuredContent
  expect(await call()).toMatchObject({ done: false })
  expect(await read()).toMatchObject({ circulating: '0' })
  says.answer = true
  expect(await call()).toMatchObject({ done: true, status: 'done', amount_in: '1.5' })
  expect(says.heard.at(-1)).toMatch(/^Pay 1\.5 USDC for at least [\d.]+ COIN, fee 0\.015 USDC, until /)
  expect(await read()).toMatchObject({ reserve: expect.stringMatching(/^1\.48500\d?$|^1\.485$/) })
  await client.close()
})
