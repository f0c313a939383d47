import { HttpAgent } from '@ag-ui/client'
import type { ResumeEntry } from '@ag-ui/core'
import { EventSchemas } from '@ag-ui/core/schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plain } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService()
  await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: () => 'An old silent pond' })
  ada = await market.user('ada')
})
afterAll(() => market?.stop())

/** A conversation with the protocol's own client, which validates every event. */
const talkTo = (token: string) => {
  const agent = new HttpAgent({ url: `${market.url}/invoke`, headers: { authorization: `Bearer ${token}` } })
  const run = async (resume: ResumeEntry[] = []) => {
    const told: unknown[] = []
    const { newMessages } = await agent.runAgent(resume.length > 0 ? { resume } : {}, {
      onEvent: ({ event }) => void told.push(EventSchemas.parse(event)),
    })
    return { told, words: newMessages.map(it => ('content' in it ? it.content : '')).join('\n') }
  }
  const say = (content: string) => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
    return run()
  }
  return {
    agent,
    say,
    answer: (payload: unknown) => run(agent.pendingInterrupts.map(it => ({ interruptId: it.id, status: 'resolved', payload }))),
  }
}

test('an AG-UI client talks to the butler, gets the proposal as an interrupt, and hires by a yes', async () => {
  const { agent, say, answer } = talkTo(ada.token)
  const proposed = await say('Hire agent poet to write a haiku')
  expect(proposed.words).toContain('0.5 USDC')
  expect(proposed.told[0]).toMatchObject({ type: 'RUN_STARTED', threadId: agent.threadId })
  expect(proposed.told.at(-1)).toMatchObject({
    type: 'RUN_FINISHED',
    outcome: { type: 'interrupt', interrupts: [{ reason: 'awaiting-confirmation', metadata: { digest: expect.any(String) } }] },
  })
  expect(agent.state).toMatchObject({ state: 'awaiting-confirmation', proposal: { total: '0.5' } })
  const done = await answer({ decision: 'yes' })
  expect(done.words).toContain('An old silent pond')
  expect(done.told).toContainEqual(expect.objectContaining({ type: 'CUSTOM', name: 'payment.settled' }))
  expect(done.told.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
})

test('an interrupt is answered by its resolution, and a cancelled one hires nothing', async () => {
  const before = await ada.client.get(`/balances/${ada.proxy}`)
  const body = (resume: unknown[], messages: unknown[]) => ({
    ...{ threadId: 'ag-1', runId: 'r', tools: [], context: [], state: {}, forwardedProps: {} },
    ...{ messages, resume },
  })
  const send = async (it: unknown) => {
    const response = await fetch(`${market.url}/invoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(it),
    })
    return response.text()
  }
  const asked = [{ id: '1', role: 'user', content: [{ type: 'text', text: 'Hire agent poet to write a haiku' }] }]
  expect(await send(body([], asked))).toContain('awaiting-confirmation')
  const other = await send(body([{ interruptId: 'run:0000', status: 'resolved', payload: { decision: 'yes' } }], asked))
  expect(other).toContain('proposal-changed')
  const left = await send(body([{ interruptId: 'run', status: 'cancelled' }], asked))
  expect(left).toContain('Nothing was hired')
  expect(await ada.client.get(`/balances/${ada.proxy}`)).toEqual(before)
})

test('a run that cannot begin is refused with a problem document, not with a stream', async () => {
  const response = await fetch(`${market.url}/invoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ message: '' }),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([422, 'application/problem+json'])
})
