import { expect, test } from 'vitest'
import { echo, platformOfTest, run } from './agents.ts'
import { agentId } from './platform.ts'

const post = (url: string, body: string) =>
  fetch(`${url}/invoke`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })

test('the same card with the offerings is served at both addresses', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))

  const card = await (await fetch(`${url}/.well-known/agent-card.json`)).json()
  expect(await (await fetch(`${url}/`)).json()).toEqual(card)
  expect(card).toMatchObject({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Echo',
    url,
    registrations: [{ agentId: 479, agentRegistry: `eip155:97:${agentId.split(':')[1]}` }],
    jobOfferings: [{ id: 'echo', name: 'Echo', priceV2: { amount: 0.02 } }],
  })
})

test('invoke returns the result of the handler, under the run id of the caller', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))
  const answer = await post(url, JSON.stringify({ message: 'hello', context: { run_id: 'run_7', more: 1 } }))
  expect(await answer.json()).toEqual({ run_id: 'run_7', agent_id: agentId, success: true, content: 'again: hello' })
})

test('invoke reports a failed handler with status 200 and success false', async () => {
  const platform = await platformOfTest()
  const { url } = await run({ ...echo(platform.url), handler: () => Promise.reject(new Error('no')) })
  const answer = await post(url, '{"message":"hello"}')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ success: false, content: '', error: 'no' })
})

test('row 55: invoke refuses what is not JSON, has no message or is too large', async () => {
  const platform = await platformOfTest()
  const { url } = await run(echo(platform.url))
  expect((await post(url, '{')).status).toBe(400)
  expect((await post(url, '{"text":"hello"}')).status).toBe(422)
  expect((await post(url, JSON.stringify({ message: 'x'.repeat(1024 * 1024) }))).status).toBe(413)
})
