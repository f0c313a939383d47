import { afterAll, beforeAll, expect, test } from 'vitest'
import { plain, provider, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get, send } from './wire.ts'

let market: TestService
let ada: User
let runId: string
let conversation: string
const line = 'An old silent pond. '
const deliverable = line.repeat(10_000)
beforeAll(async () => {
  market = await startTestService()
  ada = await market.user('ada')
  const poet = await provider(market, plain('0.01'))
  const { say, conversationId } = talk(ada)
  conversation = conversationId
  await say(`Hire agent ${poet.handle} to write a haiku`)
  runId = (await say('yes', 0)).run_id
  await poet.deliver((await poet.take()).job_id, deliverable)
  await rested(ada, runId)
})
afterAll(() => market?.stop())

const timesIn = (text: string) => text.split(deliverable).length - 1
const reference = () => `[deliverable: GET /runs/${runId}]`

test('a run and its conversation contain a long deliverable once, and refer to it elsewhere', async () => {
  const views = [
    [`/runs/${runId}`, 1],
    [`/conversations/${encodeURIComponent(conversation)}/history`, 0],
    ['/conversations', 0],
    [`/runs/${runId}/events?deliverable=reference`, 0],
    [`/users/user:${ada.wallet}/runs`, 0],
    ['/my-jobs', 0],
  ] as const
  for (const [path, times] of views) {
    const { status, text } = await get(market.url, path, ada.token)
    expect([path, status, timesIn(text)]).toEqual([path, 200, times])
  }
  for (const [path] of [views[0], views[1], views[3]])
    expect((await get(market.url, path, ada.token)).text).toContain(reference())
})

test('a stream of events refers to the deliverable where the client asks for that', async () => {
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/event-stream' }
  const told = await send(market.url, { path: `/runs/${runId}/events?deliverable=reference`, headers })
  expect([timesIn(told.text), told.text.includes(reference())]).toEqual([0, true])
  expect(await send(market.url, { path: `/runs/${runId}/events?deliverable=maybe`, headers })).toMatchObject({ status: 422 })
})

test('the log contains the deliverable in full by default, as list and as stream', async () => {
  const headers = { authorization: `Bearer ${ada.token}` }
  for (const accept of ['application/json', 'text/event-stream']) {
    const told = await send(market.url, { path: `/runs/${runId}/events`, headers: { ...headers, accept } })
    expect([accept, told.status, timesIn(told.text)]).toEqual([accept, 200, 1])
  }
})

const raw = async (path: string, accept = 'application/json', encodings = 'br;q=1.0, gzip;q=0.8') => {
  const response = await fetch(`${market.url}${path}`, {
    headers: { authorization: `Bearer ${ada.token}`, accept, 'accept-encoding': encodings },
  })
  return { encoding: response.headers.get('content-encoding'), tag: response.headers.get('etag'), text: await response.text() }
}

test('JSON is compressed for clients that accept it; short answers, tagged answers and event streams are not', async () => {
  expect((await raw(`/runs/${runId}`)).encoding).toBe('gzip')
  const plainly = await send(market.url, { path: `/runs/${runId}`, headers: { authorization: `Bearer ${ada.token}` } })
  const headers = { authorization: `Bearer ${ada.token}`, 'accept-encoding': 'gzip' }
  const { headers: said } = await send(market.url, { path: `/runs/${runId}`, headers })
  expect([plainly.headers['content-encoding'], said['content-encoding'], said.vary]).toEqual([
    undefined,
    'gzip',
    'Accept-Encoding',
  ])
  expect(timesIn((await raw(`/runs/${runId}`)).text)).toBe(1)
  expect((await raw(`/runs/${runId}`, undefined, 'identity')).encoding).toBeNull()
  expect((await raw('/gateway/tasks/poll?agent=nobody-here')).encoding).toBeNull()
  expect((await raw(`/runs/${runId}/events`, 'text/event-stream')).encoding).toBeNull()
  const agents = await get(market.url, '/agents')
  const listed = await raw('/agents')
  expect([listed.text.length > 1_024, listed.text.length < 4_096, listed.encoding]).toEqual([true, true, null])
  const handle = /"handle":"([^"]+)"/.exec(agents.text)?.[1]
  const agent = await raw(`/agents/${handle}`)
  expect([agent.text.length > 1_024, agent.encoding, agent.tag]).toEqual([true, null, '"1"'])
})

test('a conversation is named by its user alone, keeps its name, and gets that of its first message back', async () => {
  const user = await market.user('namer')
  const { say, conversationId } = talk(user)
  await say('Walk my dog')
  const path = `/conversations/${encodeURIComponent(conversationId)}`
  const rename = (token: string, title: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return send(market.url, { path, method: 'PUT', headers, body: JSON.stringify({ title }) })
  }
  const title = async () => (await get(market.url, '/conversations', user.token)).json
  expect((await rename(ada.token, 'Mine')).status).toBe(404)
  expect((await rename(user.token, 'x'.repeat(201))).status).toBe(422)
  expect((await rename(user.token, ' Rex ')).json).toEqual({ renamed: true })
  await say('And my cat')
  expect(await title()).toMatchObject({ conversations: [{ title: 'Rex' }] })
  await rename(user.token, 'Rex and Tom')
  expect(await title()).toMatchObject({ conversations: [{ title: 'Rex and Tom' }] })
  await rename(user.token, '')
  expect(await title()).toMatchObject({ conversations: [{ title: 'Walk my dog' }] })
})

test('a conversation is deleted by its user alone, and its run stays', async () => {
  const user = await market.user('forgetful')
  const { say, conversationId } = talk(user)
  const { run_id } = await say('Walk my dog')
  const path = `/conversations/${encodeURIComponent(conversationId)}`
  const remove = (token: string) => send(market.url, { path, method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
  expect((await remove(ada.token)).status).toBe(404)
  expect((await remove(user.token)).json).toEqual({ deleted: true })
  expect((await get(market.url, '/conversations', user.token)).json).toEqual({ conversations: [] })
  expect((await get(market.url, `/runs/${run_id}`, user.token)).status).toBe(200)
})
