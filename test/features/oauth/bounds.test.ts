import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { endProgram } from '../../../src/features/oauth/programs.ts'
import { openApp } from '../../identity/wallets.ts'
import { startTestService, type TestService, type User } from '../../service.ts'
import { createProgram, letIn, type Program, toChallenge, toVerifier } from './program.ts'

let market: TestService
let program: Program
let ada: User
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  program = createProgram(market.url)
  ada = await market.user('ada')
})
afterAll(() => market.stop())

const listed = z.object({ programs: z.array(z.object({ program_id: z.string() })) })
const programsOf = async (token: string) =>
  listed.parse(await (await program.call(token, '/v1/programs')).json()).programs.map(it => it.program_id)

test('of many answers at once, no more programs are let in than a person may have', async () => {
  const { token } = await market.user('bob')
  const request = program.request(await program.clientId(), toChallenge(toVerifier()))
  const answers = await Promise.all(Array.from({ length: 60 }, () => program.answer(token, request)))
  expect(answers.filter(it => it.status === 200)).toHaveLength(50)
  const codes = await Promise.all(answers.filter(it => it.status !== 200).map(it => it.json()))
  expect(new Set(codes.map(it => z.object({ code: z.string() }).parse(it).code))).toEqual(new Set(['too-many-programs']))
  const before = await programsOf(token)
  expect(before).toHaveLength(50)
  await market.user('bob').then(({ client }) => client.delete(`/v1/programs/${before[0]}`))
  expect((await program.answer(token, request)).status).toBe(200)
})

test('a crash while a program is ended leaves no token that works, and the program can be ended again', async () => {
  const { access_token } = await letIn(program, ada.token, { resource: market.url })
  const [program_id = ''] = await programsOf(ada.token)
  const { deps } = market.service.world
  const store = { ...deps.store, endGrant: () => Promise.reject(new Error('crashed')) }
  const wallet = await deps.identity.verify(ada.token)
  await expect(endProgram.call({ program_id }, { ...deps, store }, { wallet, token: ada.token })).rejects.toThrow('crashed')
  expect((await program.call(access_token, '/v1/wallets/me')).status).toBe(401)
  expect(await programsOf(ada.token)).toEqual([program_id])
  await ada.client.delete(`/v1/programs/${program_id}`)
  expect(await programsOf(ada.token)).toEqual([])
})

test('a program that renews its token may still send the one that ended, as stock clients do', async () => {
  const { refresh_token, clientId } = await letIn(program, ada.token)
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token })
  const headers = { authorization: 'Bearer ended' }
  expect((await fetch(`${market.url}/oauth/token`, { method: 'POST', headers, body })).status).toBe(200)
})

test('a program with the longest metadata that may be registered can ask its user', async () => {
  const redirect_uris = Array.from({ length: 5 }, (_, at) => `https://client.example/${at}`.padEnd(300, 'x'))
  const clientId = await program.clientId({ redirect_uris, client_name: 'n'.repeat(60) })
  const request = program.request(clientId, toChallenge(toVerifier()), { redirect_uri: redirect_uris[0] ?? '' })
  expect((await program.asked(request)).status).toBe(200)
})

test('behind a proxy, the address where a client starts its sign-in is the public one', async () => {
  const publicUrl = 'https://market.example'
  const behind = await startTestService({ env: { LOG_LEVEL: 'silent', LOCAL_WORLD: 'false', PUBLIC_URL: publicUrl } })
  onTestFinished(() => behind.stop())
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_wallet', arguments: {} } }
  const refused = await createProgram(behind.url).call(undefined, '/mcp', call)
  const metadata = `${publicUrl}/.well-known/oauth-protected-resource/mcp`
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer scope="look hire", resource_metadata="${metadata}"`)
})

test('a stranger whose metadata documents never end keeps nobody else from being read', async () => {
  let began = 0
  const server = createServer((request, response) => {
    if (request.url === '/slow.json') {
      began += 1
      return
    }
    const client_id = `http://${request.headers.host}${request.url}`
    response.end(JSON.stringify({ client_id, client_name: 'Quick', redirect_uris: ['https://client.example/callback'] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const app = openApp(market)
  const asked = (path: string, from: string) => {
    const request = program.request(`http://127.0.0.1:${port}${path}`, 'x'.repeat(43))
    return app(`/oauth/request?${new URLSearchParams(request)}`, undefined, { from })
  }
  const slow = Array.from({ length: 20 }, () => asked('/slow.json', '203.0.113.7'))
  expect((await asked('/quick.json', '198.51.100.9')).json).toMatchObject({ client_name: 'Quick' })
  expect(began).toBeLessThanOrEqual(2)
  server.close()
  server.closeAllConnections()
  expect((await Promise.all(slow)).map(it => it.status)).not.toContain(200)
})
