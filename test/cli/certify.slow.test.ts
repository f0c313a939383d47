import { type Hex, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain } from '../hire/market.ts'
import { get, post } from '../http/wire.ts'
import { createTestClock, startTestService, type TestService, type User } from '../service.ts'
import { start } from './program.ts'

const clock = createTestClock()
let market: TestService
let owner: User
beforeAll(async () => {
  market = await startTestService({ clock })
  owner = await market.user('owner')
})
afterAll(() => market?.stop())

const hexText = z.custom<Hex>(it => typeof it === 'string' && it.startsWith('0x'))
const certificate = z.object({
  expires_at: z.string(),
  cases: z.number(),
  signer: z.string(),
  text: z.string(),
  signature: hexText,
})
const done = z.looseObject({
  certified: z.boolean(),
  certificate: certificate.optional(),
  cases: z.array(z.looseObject({ name: z.string(), delivery: z.string(), result: z.string() })),
})
const certify = async (agent: string) => {
  const env = { SERVICE_ENDPOINT: market.url, SERVICE_PROXY_AUTH: owner.token, XDG_CONFIG_HOME: market.dir, AGENT_ID: agent }
  const { code, out, err } = await start(['agent', 'certify', '--json'], { env }).ended
  return { code, err, said: done.parse(JSON.parse(out.trim().split('\n').at(-1) ?? '')) }
}
const offerings = z.object({ job_offerings: z.array(z.looseObject({ certificate: certificate.optional() })) })
const shown = async (agent: string) =>
  offerings.parse((await get(market.url, `/agents/${agent}`)).json).job_offerings[0]?.certificate
const hits = z.object({ offerings: z.array(z.looseObject({ agent_id: z.string(), certified_until: z.string().optional() })) })
const found = async (agent: string) =>
  hits.parse((await get(market.url, '/offerings/search?query=haiku')).json).offerings.find(it => it.agent_id === agent)
const agentWith = (handle: string, handler: (of: { text: string; fail(reason: string): never }) => string) =>
  market.agent({ handle, credential: { token: owner.token }, offerings: [plain('0.5', { examples: ['a pond'] })], handler })

test('an agent that answers every case gets a signed certificate, shown in its record and in search, until it expires or changes', async () => {
  const running = await agentWith('steady', ({ text, fail }) => (text === 'null' ? fail('no topic') : `About ${text.length}`))
  const agent = running.agentId() ?? ''
  const balance = async () => (await get(market.url, '/v1/wallets/me', owner.token)).json
  const before = await balance()
  const { code, said } = await certify(agent)
  expect(code).toBe(0)
  expect(said.cases.length).toBeGreaterThanOrEqual(20)
  expect(said.cases.find(it => it.name === 'the word null')?.result).toBe('refused')
  expect(said.cases.filter(it => it.delivery !== 'once').map(it => it.result)).toEqual(Array(4).fill('passed'))
  expect(await balance()).toEqual(before)

  const issued = certificate.parse(said.certificate)
  const recovered = await recoverMessageAddress({ message: issued.text, signature: issued.signature })
  expect(recovered.toLowerCase()).toBe(issued.signer)
  expect(market.service.world.deps.chains.get(97)?.evaluator).toBe(issued.signer)
  expect(JSON.parse(issued.text)).toMatchObject({ agent_id: agent, offering_id: 'plain', cases: said.cases.length, refused: 1 })
  expect(await shown(agent)).toEqual(issued)
  expect(await found(agent)).toMatchObject({ certified_until: issued.expires_at })

  const { price: _, ...offering } = plain('0')
  const body = { job_offerings: [{ ...offering, description: 'Other words', price_v2: { type: 'fixed', amount: 0.5 } }] }
  await owner.client.put(`/agents/${agent}`, body)
  expect(await shown(agent)).toBeUndefined()
  expect(await found(agent)).not.toHaveProperty('certified_until')
})

test('an agent that breaks one case, or was never tested, gets no certificate and is told which case', async () => {
  const running = await agentWith('fragile', ({ text }) => (text.includes('<b>') ? text : 'A frog jumps in'))
  const agent = running.agentId() ?? ''
  const asked = await post(market.url, `/agents/${agent}/certificates`, {}, owner.token)
  expect(done.parse(asked.json)).toMatchObject({ certified: false })
  expect(done.parse(asked.json).cases.every(it => it.result === 'untested')).toBe(true)
  const { code, said, err } = await certify(agent)
  expect([code, said.certified]).toEqual([1, false])
  expect(said.cases.filter(it => it.result === 'failed').map(it => it.name)).toEqual(['markup'])
  expect(err).toContain('failed    markup')
  expect(await shown(agent)).toBeUndefined()
  const stranger = await market.user('stranger')
  expect(await post(market.url, `/agents/${agent}/certificates`, {}, stranger.token)).toMatchObject({ status: 404 })
})

test('a certificate ends after thirty days', async () => {
  const running = await agentWith('brief', () => 'A frog jumps in')
  const agent = running.agentId() ?? ''
  expect((await certify(agent)).code).toBe(0)
  const days = 86_400_000
  clock.advance(29 * days, market.service.world.deps.wakeups)
  expect(await shown(agent)).toBeDefined()
  clock.advance(2 * days, market.service.world.deps.wakeups)
  expect(await shown(agent)).toBeUndefined()
})
