import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { problems } from '../../src/domain/problem.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get, post, send } from './wire.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService()
  ada = await market.user('ada')
})
afterAll(() => market.stop())

const json = { 'content-type': 'application/json' }
const invoke = (body: string | Buffer, headers: Record<string, string> = {}) =>
  send(market.url, {
    method: 'POST',
    path: '/invoke',
    headers: { ...json, authorization: `Bearer ${ada.token}`, ...headers },
    body,
  })

test('a refusal is a problem document with its message where existing clients read it', async () => {
  const { status, headers, json: body } = await post(market.url, '/v1/hires', { task: 'hi' })
  expect(status).toBe(401)
  expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'www-authenticate': 'Bearer' })
  const [, title] = problems.unauthenticated
  expect(body).toEqual({
    type: '/problems/unauthenticated',
    title,
    status: 401,
    detail: title,
    code: 'unauthenticated',
    retry: false,
  })
})

describe('row 1, row 2, row 3: a body is refused', () => {
  test.each([
    ['that is no JSON', '{"message":'],
    ['with a trailing comma', '{"message":"hi",}'],
    ['that holds two documents', '{"message":"hi"}{}'],
    ['with a byte order mark', '\ufeff{"message":"hi"}'],
    ['in UTF-16', Buffer.from('{"message":"hi"}', 'utf16le')],
    ['whose bytes are not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
  ])('%s: 400', async (_name, body) => {
    expect(await invoke(body)).toMatchObject({ status: 400, code: 'invalid-json' })
  })

  test.each([
    ['of another type', { 'content-type': 'text/plain' }],
    ['of a type that only begins like JSON', { 'content-type': 'application/json-patch+json' }],
    ['of a form', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['with an encoding', { 'content-encoding': 'gzip' }],
  ])('%s: 415', async (_name, headers) => {
    expect(await invoke('{"message":"hi"}', headers)).toMatchObject({ status: 415, code: 'unsupported-media-type' })
  })

  test.each([
    ['with a token', '/v1/init', limits.bodyBytes],
    ['without a token', '/v1/init', limits.strangerBodyBytes],
    ['with a message, without a token', '/runs/stream', limits.messageBodyBytes],
    ['with a deliverable, without a token', '/gateway/jobs/complete', limits.bodyBytes],
  ])('that is one byte too large, %s: 413', async (who, path, most) => {
    const toBody = (bytes: number) => `{"message":"","more":"${'a'.repeat(bytes - 24)}"}`
    for (const chunked of [false, true]) {
      const headers = { ...json, ...(who === 'with a token' && { authorization: `Bearer ${ada.token}` }) }
      const ask = (bytes: number) => send(market.url, { method: 'POST', path, headers, chunked, body: toBody(bytes) })
      expect((await ask(most)).status).not.toBe(413)
      expect(await ask(most + 1)).toMatchObject({
        ...{ status: 413, code: 'body-too-large' },
        headers: { 'content-type': 'application/problem+json' },
      })
    }
  })

  test.each([
    ['values', `[${'0,'.repeat(limits.jsonValues)}0]`, 'more than 20000 values'],
    ['members', `{${Array.from({ length: limits.jsonValues }, (_, at) => `"k${at}":[]`)}}`, 'more than 20000 values'],
    ['levels', `{"a":${'['.repeat(limits.jsonDepth)}"]"${']'.repeat(limits.jsonDepth)}}`, 'more than 64 levels'],
  ])('with too many %s is refused before it is parsed', async (_what, body, detail) => {
    for (const path of ['/invoke', '/agents/register', '/mcp', '/a2a'])
      expect(
        await send(market.url, { method: 'POST', path, headers: { ...json, authorization: `Bearer ${ada.token}` }, body }),
      ).toMatchObject({
        status: 422,
        json: { detail: expect.stringContaining(detail) },
      })
  })

  test('with brackets, commas and escaped quotes in a text is read as that text', async () => {
    const message = `Hello ${'[{,"\\\\"'.repeat(3_000)}`
    expect(await post(market.url, '/invoke', { message, wait_ms: 0 }, ada.token)).toMatchObject({ status: 200 })
    const values = Array.from({ length: limits.jsonValues - 3 }, () => 0)
    expect(await post(market.url, '/v1/init', { values }, ada.token)).toMatchObject({ status: 200 })
  })

  test.each([
    ['a member of the wrong type', { message: 7 }, '/message'],
    ['a member inside', { message: 'hi', context: { conversation_id: [] } }, '/context/conversation_id'],
    ['a NUL', { message: 'hi\0' }, '/message'],
    ['half a character', { message: 'hi', context: { note: ['\ud83d'] } }, '/context/note/0'],
  ])('for %s: 422 with a pointer to it', async (_name, body, pointer) => {
    expect(await post(market.url, '/invoke', body, ada.token)).toMatchObject({
      status: 422,
      code: 'invalid-input',
      json: { pointer },
    })
  })

  test.each(['/invoke', '/invoke/stream', '/agents/register', '/gateway/jobs/complete', '/v1/approve'])(
    'nested without end by %s: 422',
    async path => {
      const deep = `{"message":"hi","handle":"a","job_id":"j","result":{"task":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
      expect(await post(market.url, path, deep, ada.token)).toMatchObject({ status: 422 })
    },
  )
})

test('row 4: members named like members of Object.prototype are plain data', async () => {
  const hostile =
    '{"__proto__":{"polluted":true,"message":"x"},"constructor":{"prototype":{"polluted":true}},"prototype":1,"toString":2'
  const answers = await Promise.all([
    post(market.url, '/invoke', `${hostile}}`, ada.token),
    post(market.url, '/agents/register', `${hostile},"handle":"proto","metadata":{"__proto__":{"polluted":1}}}`, ada.token),
    post(market.url, '/gateway/jobs/complete', `${hostile},"job_id":"__proto__"}`),
    get(market.url, '/agents?__proto__=1&constructor=2&toString=3&chain_id=97'),
    get(market.url, '/agents/__proto__'),
    get(market.url, '/agents/handle/constructor'),
  ])
  expect(answers.map(it => it.status)).toEqual([422, 200, 404, 200, 404, 404])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

describe('a credential is checked whenever one is sent, also where none is needed', () => {
  test.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a.b.c', `Bearer ${'a'.repeat(9000)}`, 'Bearer tokens two'])(
    '"%.20s": 401',
    async authorization => {
      const { status, headers, code } = await send(market.url, { path: '/agents', headers: { authorization } })
      expect([status, headers['www-authenticate'], code]).toEqual([401, 'Bearer', 'invalid-token'])
    },
  )

  test('and a token in the query does not count as a credential', async () => {
    expect(await get(market.url, `/v1/wallets/me?token=${ada.token}&authorization=Bearer%20${ada.token}`)).toMatchObject({
      status: 401,
    })
  })
})

describe('row 6, row 7: an address', () => {
  test.each([
    '/nothing',
    '/assets/..%2f..%2fpackage.json',
    '/assets/',
    '/agents/',
    '/v1',
    '/debug',
    '/metrics',
    '/%2e%2e/etc/passwd',
    '/agents/..%2f..%2fetc',
    '/agents/%00',
  ])('that does not exist is 404 or 422: %s', async path => {
    const { status, headers } = await get(market.url, path)
    expect([404, 422]).toContain(status)
    expect(headers['content-type']).toBe('application/problem+json')
  })

  test.each([
    ['DELETE', '/agents', 'GET'],
    ['GET', '/agents/register/', undefined],
    ['PUT', '/gateway/jobs/poll', 'GET'],
    ['GET', '/v1/hires/r/confirm', 'POST'],
    ['OPTIONS', '/invoke', 'POST'],
    ['POST', '/agents/register/', undefined],
    ['PATCH', '/v1/approve', 'GET, POST'],
  ])('asked with %s %s answers to %s', async (method, path, allow) => {
    const { status, headers, code } = await send(market.url, { method, path })
    expect([status, code, headers.allow]).toEqual(allow ? [405, 'method-not-allowed', allow] : [404, 'not-found', undefined])
  })

  test('is accepted with doubled slashes', async () => {
    expect(await get(market.url, '//gateway//jobs/poll?agent=nobody')).toMatchObject({ status: 200, json: {} })
  })

  test('is answered to HEAD without a body', async () => {
    expect(await send(market.url, { method: 'HEAD', path: '/health' })).toMatchObject({ status: 200, text: '' })
    expect(await send(market.url, { method: 'HEAD', path: '/agents/nobody' })).toMatchObject({ status: 404, text: '' })
  })
})

test('row 7: no cross-origin request is allowed', async () => {
  const origin = 'https://evil.example'
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  for (const path of ['/invoke', '/agents', '/mcp', '/v1/init'])
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const { headers } = await send(market.url, { method, path, headers: asked })
      expect(Object.keys(headers).filter(name => name.startsWith('access-control-'))).toEqual([])
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
})

test.each([
  '/agents?page=9007199254740991&pageSize=500',
  '/agents?page=0',
  '/agents?pageSize=501',
  '/agents?chain_id=x',
  '/agents?chain_id=1e400',
  '/offerings/search?query=time&limit=1e9',
  '/offerings/search?query=',
  '/balances/0x12',
  '/gateway/jobs/poll',
  '/gateway/jobs/poll?agent=a&timeout=-1',
])('an invalid query is a client error, never an internal one: %s', async path => {
  const { status } = await get(market.url, path)
  expect(status === 422 || (status === 200 && path.includes('page=9'))).toBe(true)
})
