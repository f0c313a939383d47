import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openPresent } from '../mcp/clients.ts'
import { startTestService, type TestService } from '../service.ts'
import { get, post } from './wire.ts'

const unlucky = `0x${'0'.repeat(37)}bad`
const secret = 'SELECT key FROM secrets at /srv/market'

// A service that is not local: no demo wallets and no test USDC. One run id and one address cause an internal error.
let market: TestService
beforeAll(async () => {
  const fail = (): never => {
    throw new Error(secret)
  }
  market = await startTestService({
    env: { LOCAL_WORLD: 'false', LOG_LEVEL: 'silent' },
    wrap: ({ store, chain }) => ({
      store: { ...store, run: async id => (id === 'unlucky' ? fail() : store.run(id)) },
      chain: { ...chain, usdcBalance: async of => (of === unlucky ? fail() : chain.usdcBalance(of)) },
    }),
  })
})
afterAll(() => market.stop())

const tokenOf = async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const { code } = z.object({ code: z.string() }).parse((await post(market.url, '/v1/init', true)).json)
  const { json } = await get(market.url, `/v1/approve?code=${code}&address=${account.address}`)
  const { message } = z.object({ message: z.string() }).parse(json)
  const signature = await account.signMessage({ message })
  const approved = await post(market.url, '/v1/approve', { code, address: account.address, signature })
  return z.object({ token: z.string() }).parse(approved.json).token
}
const connect = (token?: string) =>
  openPresent(
    new StreamableHTTPClientTransport(new URL(`${market.url}/mcp`), {
      requestInit: { headers: token ? { authorization: `Bearer ${token}` } : {} },
    }),
  )

test('a session is approved only by a wallet signature', async () => {
  const begun = await post(market.url, '/v1/init', true)
  const { code } = z.object({ code: z.string() }).parse(begun.json)
  const address = `0x${'1'.repeat(40)}`
  expect(await post(market.url, '/v1/approve/demo', { code, secret: '0'.repeat(32) })).toMatchObject({
    status: 404,
    code: 'demo-wallet-refused',
  })
  expect(await post(market.url, '/v1/approve', { code, address, signature: '0x00' })).toMatchObject({
    status: 401,
    code: 'signature-mismatch',
  })
})

test('a new user has a wallet with no money in it', async () => {
  const { json } = await get(market.url, '/v1/wallets/me', await tokenOf())
  expect(json).toMatchObject({ balances: [{ chain_id: 97, usdc: '0' }] })
})

test('tools that act for a user ask a stranger for a token, and the others answer', async () => {
  const host = await connect()
  // The status makes a client with a sign-in begin it. Another one gets the problem with the next step.
  for (const asked of [
    host.call('propose_hire', { task: 'What time is it in Tokyo?' }),
    host.call('confirm_hire', { run_id: 'r', digest: '00000000', decision: 'yes' }),
    host.call('get_run', { run_id: 'r' }),
  ])
    await expect(asked).rejects.toThrow(/"status":401.*sign in, or send a bearer token/)
  expect(await host.call('search_offerings', { query: 'time' })).toMatchObject({
    isError: false,
    structuredContent: { offerings: [] },
  })
  await host.close()
  const known = await connect(await tokenOf())
  expect(await known.call('propose_hire', { task: 'What time is it in Tokyo?' })).toMatchObject({ isError: false })
  await known.close()
})

test('an internal error is answered without its message', async () => {
  const token = await tokenOf()
  const said = { type: '/problems/internal', status: 500, code: 'internal', retry: true }
  for (const path of ['/runs/unlucky', '/runs/unlucky/events', '/runs/unlucky/payments', `/balances/${unlucky}`]) {
    const { status, json, text } = await get(market.url, path, token)
    expect([path, status, json]).toEqual([path, 500, expect.objectContaining(said)])
    expect(text).not.toMatch(/SELECT|srv|stack|at /)
  }
  const host = await connect(token)
  const { isError, content } = await host.call('get_run', { run_id: 'unlucky' })
  const nextStep = 'Next step: Wait a moment and call the tool again with the same arguments.'
  expect([isError, content]).toEqual([true, [{ type: 'text', text: `internal: An internal error occurred. ${nextStep}` }]])
  await host.close()
})
