import { randomUUID } from 'node:crypto'
import { HttpAgent } from '@ag-ui/client'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start } from '../cli/program.ts'
import { openFormerAsking, toResult, toRun } from '../mcp/clients.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { offers } from './planWorld.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService()
  await market.agent({ handle: 'clock', offerings: [offers.clock], handler: () => ({ time: '10:00' }) })
  await market.agent({ handle: 'weather', offerings: [offers.weather], handler: () => ({ forecast: 'rain' }) })
  ada = await market.user('ada')
})
afterAll(() => market?.stop())

const both = 'Tell me the time in Tokyo, then tell me the weather in London, and then walk my dog in the park'

test('AG-UI: a plan is one interrupt, its digest agrees to all steps, and the end is one bill', async () => {
  const agent = new HttpAgent({ url: `${market.url}/invoke`, headers: { authorization: `Bearer ${ada.token}` } })
  agent.addMessage({ id: randomUUID(), role: 'user', content: both })
  await agent.runAgent()
  const [interrupt, ...others] = agent.pendingInterrupts
  expect(others).toEqual([])
  expect(agent.state).toMatchObject({
    state: 'awaiting-confirmation',
    plan: {
      total: '0.3',
      steps: [{ agent_handle: 'clock' }, { agent_handle: 'weather' }],
      unplanned: ['walk my dog in the park'],
    },
  })
  expect(interrupt).toMatchObject({ metadata: { digest: agent.state.plan.digest }, expiresAt: agent.state.plan.lapses_at })
  expect(interrupt?.message).toContain('Nobody here does: walk my dog in the park.')
  const { newMessages } = await agent.runAgent({
    resume: [{ interruptId: interrupt?.id ?? '', status: 'resolved', payload: { decision: 'yes' } }],
  })
  expect(JSON.stringify(newMessages)).toContain('2 of 2 steps are done. Of 0.3 USDC: 0.3 paid')
})

test('MCP: hire shows the plan in one question, and the yes to it pays all steps', async () => {
  const { token } = await market.user('mia')
  const at = [new URL(`${market.url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } }] as const
  let question = ''
  const client = await openFormerAsking(new StreamableHTTPClientTransport(...at), words => {
    question = words
    return true
  })
  const run = toRun(toResult(await client.callTool({ name: 'hire', arguments: { task: both } })))
  await client.close()
  expect(question).toContain('I propose a plan of 2 steps.')
  expect(question).toContain('Nobody here does: walk my dog in the park.')
  expect(run).toMatchObject({ plan: { total: '0.3', steps: [{ number: 1 }, { number: 2 }] } })
  expect(['running', 'ended']).toContain(run.plan?.state)
})

test('A2A: a plan is input-required with a data part, and a data part with its digest agrees', async () => {
  const send = async (method: string, params: unknown) => {
    const response = await fetch(`${market.url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}`, 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return JSON.stringify(await response.json())
  }
  const message = (part: unknown, taskId?: string) => ({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [part], ...(taskId && { taskId }) },
  })
  const asked = await send('SendMessage', message({ text: both }))
  expect(asked).toContain('TASK_STATE_INPUT_REQUIRED')
  expect(asked).toContain('"unplanned":["walk my dog in the park"]')
  const [, digest] = /"plan":\{"digest":"([^"]+)"/.exec(asked) ?? []
  const [, taskId] = /"id":"(run_[^"]+)"/.exec(asked) ?? []
  const agreed = await send('SendMessage', message({ data: { decision: 'yes', digest } }, taskId))
  expect(agreed).toMatch(/TASK_STATE_(?:WORKING|COMPLETED)/)
})

test('command line: --max covers the total of a plan, and a smaller one pays nothing', async () => {
  const env = {
    SERVICE_ENDPOINT: market.url,
    XDG_CONFIG_HOME: `${market.dir}/config`,
    SERVICE_PROXY_AUTH: ada.token,
    AGENT_ID: '',
  }
  const hire = (max: string) => start(['hire', both, '--yes', '--max', max, '--json'], { env }).ended
  const dear = await hire('0.2')
  expect(dear.code).toBe(1)
  expect(dear.out).toContain('It costs 0.3 USDC, and --max is 0.2.')
  const hired = await hire('0.3')
  expect(hired.out).toContain('"paid":"0.3"')
  expect(hired.out).toContain('walk my dog in the park')
  expect(hired.code).toBe(0)
})
