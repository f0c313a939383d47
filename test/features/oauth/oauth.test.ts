import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestService, type TestService, type User } from '../../service.ts'
import { codeOf, createProgram, letIn, type Program, toChallenge, toVerifier } from './program.ts'

let market: TestService
let program: Program
let ada: User
let eve: User
beforeAll(async () => {
  market = await startTestService({ env: { LOCAL_WORLD: 'false', LOG_LEVEL: 'silent' } })
  program = createProgram(market.url)
  ada = await market.user('ada')
  eve = await market.user('eve')
})
afterAll(() => market.stop())

const toolCall = (name: string, args: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args },
})
const listed = z.object({ programs: z.array(z.object({ program_id: z.string() }).loose()) })
const goingOn = z.object({ redirect_to: z.string() })
const read = (token: string) => program.call(token, '/mcp', toolCall('get_wallet'))

test('a tool that needs a user answers 401 with the address where a client starts its sign-in; a search needs no user', async () => {
  const refused = await program.call(undefined, '/mcp', toolCall('get_wallet'))
  expect(refused.status).toBe(401)
  const metadata = `${market.url}/.well-known/oauth-protected-resource/mcp`
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer scope="look hire", resource_metadata="${metadata}"`)
  const resource = await (await fetch(metadata)).json()
  expect(resource).toMatchObject({ resource: `${market.url}/mcp`, authorization_servers: [market.url] })
  const server = await (await fetch(`${market.url}/.well-known/oauth-authorization-server`)).json()
  expect(server).toMatchObject({ issuer: market.url, code_challenge_methods_supported: ['S256'] })
  expect((await program.call(undefined, '/mcp', toolCall('search_offerings', { query: 'time' }))).status).toBe(200)
})

test('a person lets a program in within scopes, and it works for that person alone until the person ends it', async () => {
  const { access_token, scope, expires_in } = await letIn(program, ada.token)
  expect({ scope, expires_in }).toEqual({ scope: 'look hire', expires_in: 3600 })
  expect(await (await read(access_token)).text()).toContain(ada.proxy)
  const bearer = { headers: { authorization: `Bearer ${ada.token}` } }
  const { programs } = listed.parse(await (await fetch(`${market.url}/v1/programs`, bearer)).json())
  expect(programs).toMatchObject([
    { name: 'Calendar helper', redirect_host: 'client.example', scopes: [{ scope: 'look' }, { scope: 'hire' }] },
  ])
  const address = `${market.url}/v1/programs/${programs[0]?.program_id}`
  const byEve = { method: 'DELETE', headers: { authorization: `Bearer ${eve.token}` } }
  expect((await fetch(address, byEve)).status).toBe(404)
  expect((await read(access_token)).status).toBe(200)
  expect((await fetch(address, { method: 'DELETE', ...bearer })).status).toBe(200)
  expect((await read(access_token)).status).toBe(401)
})

test('a code is used once: a second use is refused and ends what the first one got', async () => {
  const { access_token, exchange, refresh, refresh_token } = await letIn(program, ada.token)
  const again = await program.token(exchange)
  expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }])
  expect((await read(access_token)).status).toBe(401)
  expect(await refresh(refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
})

test('a refresh token is replaced at each use, and using an old one ends the whole family', async () => {
  const first = await letIn(program, ada.token)
  const { tokens } = await first.refresh(first.refresh_token)
  expect((await read(tokens?.access_token ?? '')).status).toBe(200)
  expect(await first.refresh(first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await first.refresh(tokens?.refresh_token ?? '')).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect((await read(tokens?.access_token ?? '')).status).toBe(401)
  // A made-up token names no grant, so it ends nothing.
  const other = await letIn(program, ada.token)
  expect(await other.refresh(`${other.refresh_token.slice(0, -8)}AAAAAAAA`)).toMatchObject({ status: 400 })
  expect((await read(other.access_token)).status).toBe(200)
})

test('revoking a token of a program, or all tokens of a user, ends its refresh too', async () => {
  const one = await letIn(program, eve.token)
  expect((await program.revoke(one.refresh_token)).status).toBe(200)
  expect((await program.revoke('unknown')).status).toBe(200)
  expect(await one.refresh(one.refresh_token)).toMatchObject({ status: 400 })
  const other = await letIn(program, eve.token)
  const body = JSON.stringify({ all: true })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${eve.token}` }
  expect((await fetch(`${market.url}/v1/revoke`, { method: 'POST', headers, body })).status).toBe(200)
  expect((await read(other.access_token)).status).toBe(401)
  expect(await other.refresh(other.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
})

test('a program does what its scopes say, by every door, and nothing that only a person may do', async () => {
  const looker = await letIn(program, ada.token, { scope: 'look', resource: market.url })
  const { access_token: token } = looker
  expect((await program.call(token, '/v1/wallets/me')).status).toBe(200)
  for (const [path, body] of [
    ['/invoke', { message: 'What time is it in Oslo?' }],
    ['/a2a', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: {} }],
    ['/mcp', toolCall('hire', { message: 'What time is it in Oslo?' })],
    ['/v1/withdrawals', {}],
  ] as const) {
    const refused = await program.call(token, path, body)
    expect([path, refused.status]).toEqual([path, 403])
    // A client asks for what this names, so it names what the token has, too.
    expect(refused.headers.get('www-authenticate')).toMatch(/insufficient_scope", scope="look (?:hire|money)"/)
  }
  const all = await letIn(program, ada.token, { scope: 'look hire sell money', resource: market.url })
  const challenge = toChallenge(toVerifier())
  const widening = await program.answer(all.access_token, program.request(all.clientId, challenge))
  expect(widening.status).toBe(403)
  const budget = { chain_id: 97, max_per_job: '1', max_per_period: '5', period: 'week' }
  expect((await program.call(all.access_token, '/v1/mandates', budget)).status).toBe(403)
})

test('a token for the MCP endpoint opens no other door, and a token of another market or without a signature opens none', async () => {
  const { access_token } = await letIn(program, ada.token)
  expect((await program.call(access_token, '/v1/wallets/me')).status).toBe(401)
  const [head = '', body = '', signature = ''] = access_token.split('.')
  const none = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(head, 'base64url').toString()), alg: 'none' }))
  expect((await read(`${none.toString('base64url')}.${body}.`)).status).toBe(401)
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), scope: 'look hire sell money' }
  expect((await read(`${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`)).status).toBe(401)
  const other = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  const foreign = await letIn(createProgram(other.url), (await other.user('ada')).token)
  await other.stop()
  expect((await read(foreign.access_token)).status).toBe(401)
})

test('a code needs its verifier, its program, its redirect address and its resource', async () => {
  const clientId = await program.clientId()
  const stranger = await program.clientId({ client_name: 'Other' })
  const verifier = toVerifier()
  const redirect_uri = 'https://client.example/callback'
  const code = await codeOf(await program.answer(ada.token, program.request(clientId, toChallenge(verifier))))
  const right = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: verifier, redirect_uri }
  const mistakes: Record<string, string>[] = [
    { code_verifier: toVerifier() },
    { code_verifier: '' },
    { client_id: stranger },
    { redirect_uri: 'https://client.example/other' },
    { resource: market.url },
    { grant_type: 'password' },
    { code: 'made-up' },
  ]
  for (const wrong of mistakes) {
    const refused = await program.token({ ...right, ...wrong })
    expect([Object.keys(wrong), refused.status]).toEqual([Object.keys(wrong), 400])
    expect(refused.headers.get('content-type')).toContain('application/json')
  }
  expect((await program.token(right)).status).toBe(200)
})

test('an unknown program or redirect address gets no answer; every other mistake goes back to the program with its issuer', async () => {
  const clientId = await program.clientId()
  const challenge = toChallenge(toVerifier())
  const right = program.request(clientId, challenge)
  for (const wrong of [{ client_id: 'unknown' }, { client_id: `${clientId}0` }, { redirect_uri: 'https://evil.example/' }]) {
    const told = await program.asked({ ...right, ...wrong })
    expect([told.status, await told.text()]).toEqual([422, expect.not.stringContaining('redirect_to')])
  }
  for (const [wrong, error] of [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ scope: 'everything' }, 'invalid_scope'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
  ] as const) {
    const { redirect_to } = goingOn.parse(await (await program.asked({ ...right, ...wrong })).json())
    const answer = new URL(redirect_to)
    expect(answer.origin).toBe('https://client.example')
    expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error, state: 'tea', iss: market.url })
  }
  const no = goingOn.parse(await (await program.answer(ada.token, { ...right, decision: 'no' })).json())
  expect(new URL(no.redirect_to).searchParams.get('error')).toBe('access_denied')
})

test('registering stores nothing, and refuses addresses to which a code must not go', async () => {
  for (const wrong of [
    'http://client.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a@b.example/',
    'https://x/#y',
    '',
  ]) {
    const refused = await program.register({ redirect_uris: [wrong] })
    expect([wrong, refused.status, await refused.json()]).toMatchObject([wrong, 400, { error: 'invalid_redirect_uri' }])
  }
  expect((await program.register({ redirect_uris: [] })).status).toBe(400)
  const installed = await program.register({ redirect_uris: ['http://127.0.0.1:1234/cb', 'com.example.app:/cb'] })
  expect([installed.status, await installed.json()]).toMatchObject([201, { token_endpoint_auth_method: 'none' }])
})

test('a program on the user’s own machine may listen at another port than the one that it registered', async () => {
  const clientId = await program.clientId({ redirect_uris: ['http://127.0.0.1:1234/cb'] })
  const request = program.request(clientId, toChallenge(toVerifier()), { redirect_uri: 'http://127.0.0.1:9/cb' })
  expect(await (await program.asked(request)).json()).toMatchObject({ redirect_host: '127.0.0.1:9' })
  expect((await program.asked({ ...request, redirect_uri: 'http://127.0.0.1:9/other' })).status).toBe(422)
})
