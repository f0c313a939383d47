import { afterAll, beforeAll, expect, test } from 'vitest'
import { plain, provider, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, until } from '../service.ts'

const token = 'an operator of this market'
let market: TestService
beforeAll(async () => {
  market = await startTestService({ env: { OPERATOR_TOKEN: token } })
})
afterAll(() => market?.stop())

const read = async (authorization?: string) => {
  const response = await fetch(`${market.url}/metrics`, { headers: authorization ? { authorization } : {} })
  return { status: response.status, text: await response.text() }
}
const metricOf = (text: string, name: string) =>
  Number(
    text
      .split('\n')
      .find(it => it.startsWith(`${name} `))
      ?.slice(name.length),
  )

test('the operator reads what waits, the chain, the treasury, the workers and the requests; nobody else does', async () => {
  expect([(await read()).status, (await read('Bearer another')).status]).toEqual([401, 401])
  const agent = await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: async () => 'An old silent pond' })
  const user = await market.user('ann')
  const chat = talk(user)
  await chat.say('Hire agent poet to write a haiku')
  const asked = await read(`Bearer ${token}`)
  expect(asked.status).toBe(200)
  const { run_id: runId } = await chat.say('yes')
  expect((await rested(user, runId)).job?.state).toBe('settled')
  const text = await until('the chain to be read', async () => {
    const { text } = await read(`Bearer ${token}`)
    return metricOf(text, 'market_chain_blocks_behind{chain="97"}') === 0 && text
  })
  expect(metricOf(text, 'market_chain_up{chain="97"}')).toBe(1)
  expect(metricOf(text, 'market_treasury_coin{chain="97"}')).toBeGreaterThan(0)
  expect(metricOf(text, 'market_worker_step_seconds_count{worker="sendTransactions 97"}')).toBeGreaterThan(0)
  expect(metricOf(text, 'market_request_seconds_count{method="POST",route="/invoke",status="200"}')).toBe(2)
  expect(metricOf(text, 'market_ready')).toBe(1)
  expect(metricOf(text, 'market_agents_seen')).toBeGreaterThan(0)
  expect(['0', '97'].map(it => metricOf(text, `market_leads{chain="${it}"}`))).toEqual([1, 1])
  expect(metricOf(text, 'market_hires{chain="97",state="settled"}')).toBe(1)
  expect(metricOf(text, 'market_usdc{chain="97",place="paid"}')).toBe(0.5)
  const ended = await until('the end to be observed', async () => {
    const { text } = await read(`Bearer ${token}`)
    return text.includes('market_settlement_seconds_count{chain="97"} 1') && text
  })
  expect(metricOf(ended, 'market_hire_seconds_count{chain="97",end="settled"}')).toBe(1)
  expect(text).not.toContain('market_backlog{kind="job",state="settled"}')
  expect(text).not.toContain(token)
  // The second poll of an agent without a credential is answered from memory.
  const other = await provider(market, plain('0.5'))
  for (const _ of [1, 2]) expect((await fetch(`${market.url}/gateway/jobs/poll?agent=${other.agentId}`)).status).toBe(200)
  expect(metricOf((await read(`Bearer ${token}`)).text, 'market_memory_polls_total')).toBeGreaterThan(0)
  await agent.stop()
})

test('without an operator token there is no such address', async () => {
  const other = await startTestService()
  expect((await fetch(`${other.url}/metrics`)).status).toBe(404)
  await other.stop()
})
