import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { openAsDemo, readApproval, requestApproval } from '../../src/operations/approvals/approvals.ts'
import { plain } from '../hire/market.ts'
import { createTestClock, openUser, startTestService, type TestService, type User } from '../service.ts'
import { readDocument } from './promised.ts'
import { get, post, send } from './wire.ts'

const clock = createTestClock()
let market: TestService
let promised: Awaited<ReturnType<typeof readDocument>>
let ada: User
let bob: User
beforeAll(async () => {
  market = await startTestService({ clock })
  await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: () => 'An old silent pond' })
  ;[ada, bob] = await Promise.all([market.user('ada'), market.user('bob')])
  promised = await readDocument(market.url)
})
afterAll(() => market?.stop())

const proposed = z.object({ run_id: z.string(), proposal: z.object({ digest: z.string() }) })

/** A program asks for a proposal and for the address where its user answers. */
const request = async ({ token }: User) => {
  const asked = await post(market.url, '/v1/hires', { task: 'Hire agent poet to write a haiku' }, token)
  const { run_id, proposal } = proposed.parse(asked.json)
  const path = `/v1/hires/${run_id}/approval`
  const told = await post(market.url, path, { digest: proposal.digest }, token)
  const { approve_url = '' } = promised('post /v1/hires/{run_id}/approval', requestApproval.output, told)
  return { run_id, digest: proposal.digest, path, approve_url, code: new URL(approve_url).searchParams.get('code') ?? '' }
}

test('the address of a proposal is the same each time, and opens for its user alone until the proposal ends', async () => {
  const { path, digest, approve_url, code, run_id } = await request(ada)
  expect(approve_url).toBe(`${market.url}/app/yes/${run_id}?code=${code}`)
  expect((await post(market.url, path, { digest }, ada.token)).json).toMatchObject({ approve_url })
  const opened = await get(market.url, `${path}?code=${code}`, ada.token)
  expect(promised('get /v1/hires/{run_id}/approval', readApproval.output, opened)).toMatchObject({ run_id })
  const other = await request(bob)
  expect(other.code).not.toBe(code)
  for (const [at, token, status] of [
    [`${path}?code=${code}`, bob.token, 404],
    [`${path}?code=${code}`, undefined, 401],
    [`${path}?code=${other.code}`, ada.token, 404],
    [`${path}?code=${code.slice(0, 12)}${'0'.repeat(32)}`, ada.token, 404],
    [`${path}?code=`, ada.token, 404],
    [`/v1/hires/nothing/approval?code=${code}`, ada.token, 404],
  ] as const)
    expect([at, (await get(market.url, at, token)).status]).toEqual([at, status])
  expect(await post(market.url, path, { digest }, bob.token)).toMatchObject({ status: 404 })
  expect(await post(market.url, path, { digest: '0'.repeat(digest.length) }, ada.token)).toMatchObject({
    code: 'proposal-changed',
  })
  clock.advance(limits.proposalMs + 60_000, market.service.world.deps.wakeups)
  expect((await get(market.url, `${path}?code=${code}`, ada.token)).status).toBe(404)
  expect(await post(market.url, path, { digest }, ada.token)).toMatchObject({ code: 'proposal-expired' })
})

test('the address of the demo user signs a browser in as the demo user, and that of another user signs nobody in', async () => {
  const demo = await openUser(market.url, `${market.dir}/demo-user.json`)
  const { path, code, approve_url } = await request(demo)
  expect(new URL(approve_url).searchParams.get('demo')).toBe('1')
  const signedIn = await post(market.url, `${path}/demo`, { code })
  const { token } = promised('post /v1/hires/{run_id}/approval/demo', openAsDemo.output, signedIn)
  expect((await get(market.url, '/v1/wallets/me', token)).json).toMatchObject({ ethereum: demo.proxy })
  const other = await request(ada)
  for (const wrong of [other.code, code.replace(/.$/, it => (it === '0' ? '1' : '0')), ''])
    expect((await post(market.url, `${path}/demo`, { code: wrong })).status).toBe(404)
  expect((await post(market.url, `${other.path}/demo`, { code: other.code })).status).toBe(404)
})

/** Calls a tool of MCP in a client that cannot ask its user, and returns the text of the response. */
const callTool = async ({ token }: User, name: string, input: unknown): Promise<string> => {
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
  const headers = { ...accept, authorization: `Bearer ${token}` }
  return (await send(market.url, { method: 'POST', path: '/mcp', headers, body })).text
}

test('by MCP a model opens nothing, and the token that it used says yes at no door, while another token of its user does', async () => {
  const carol = await market.user('carol')
  const { run_id, digest, approve_url } = await request(carol)
  const yes = { digest, decision: 'yes' }
  const told = await callTool(carol, 'confirm_hire', { run_id, ...yes, wait_ms: 0 })
  expect(told).toContain('"state":"awaiting-confirmation"')
  expect(told).toContain(`"approve_url":"${approve_url}"`)
  const budget = { max_per_job: '1', max_per_period: '5', period: 'day' }
  for (const [path, sent] of [
    [`/v1/hires/${run_id}/confirm`, yes],
    ['/v1/mandates', budget],
    ['/v1/withdrawals', { amount: '1' }],
  ] as const)
    expect(await post(market.url, path, sent, carol.token)).toMatchObject({ status: 403, code: 'person-needed' })
  const browser = await market.browserOf('carol')
  const hired = await post(market.url, `/v1/hires/${run_id}/confirm`, yes, browser.token)
  expect(hired.json).toMatchObject({ job: { state: 'settled' } })
  await market.restart()
  expect(await post(market.url, '/v1/mandates', budget, carol.token)).toMatchObject({ status: 403, code: 'person-needed' })
})
