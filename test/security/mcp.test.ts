import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { send } from '../http/wire.ts'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  ada = await market.user('ada')
})
afterAll(() => market?.stop())

const ask = (body: unknown, headers: Record<string, string> = {}) =>
  send(market.url, {
    method: 'POST',
    path: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${ada.token}`,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const call = (name: string, args: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

test('row 51: wrong, too many or too large arguments and unknown tools are protocol errors', async () => {
  for (const args of [
    { query: 7 },
    { query: '' },
    {},
    [],
    'x',
    { query: 'x', limit: 1e9 },
    { query: 'x'.repeat(limits.messageChars + 1) },
  ]) {
    const { status, text } = await ask(call('search_offerings', args))
    expect(status).toBeLessThan(500)
    expect(text).toMatch(/"isError":true|"error":/)
  }
  const { text } = await ask(call('drop_tables', {}))
  expect(text).toMatch(/-3260[12]|"isError":true/)
  expect((await ask({ jsonrpc: '2.0', id: 1, method: 'nothing/here' })).text).toContain('-32601')
  const extra = await ask(call('search_offerings', { query: 'time', wallet: 'evil', is_admin: true }))
  expect(extra.text).not.toContain('evil')
  expect(await ask('{"jsonrpc":')).toMatchObject({ status: 400 })
  expect(await ask(JSON.stringify(call('search_offerings', { query: 'x'.repeat(limits.bodyBytes) })))).toMatchObject({
    status: 413,
  })
})

test('row 51: a hundred calls in one request are refused, or each is answered', async () => {
  const batch = Array.from({ length: 100 }, (_, id) => ({ ...call('search_offerings', { query: 'time' }), id }))
  const { status } = await ask(batch)
  expect([200, 400]).toContain(status)
  expect(await ask(call('search_offerings', { query: 'time' }))).toMatchObject({ status: 200 })
})

test('row 50: an invented session id grants nothing, because every request is answered for its own token', async () => {
  const { status, headers } = await ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'mcp-session-id': 'stolen' })
  expect([status, headers['mcp-session-id']]).toEqual([200, undefined])
  const nobody = await ask(call('get_run', { run_id: 'r' }), { 'mcp-session-id': 'stolen', authorization: 'Bearer a.b.c' })
  expect(nobody).toMatchObject({ status: 401, code: 'invalid-token' })
})
