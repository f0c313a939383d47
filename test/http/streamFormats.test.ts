import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService()
  await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: () => 'An old silent pond\u2028A frog\u0085' })
  await market.agent({ handle: 'free-poet', offerings: [plain('0')], handler: () => 'Splash' })
  ada = await market.user('ada')
})
afterAll(() => market?.stop())

/** Reads a stream as the strictest existing client does: `data: `, one line, no other separators. */
const lines = async (path: string, body: unknown, token?: string): Promise<unknown[]> => {
  const response = await fetch(`${market.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/event-stream'])
  const text = await response.text()
  expect(text.endsWith('\n')).toBe(true)
  return text
    .split(/[\n\u0085\u2028\u2029]/)
    .flatMap(line => (line.startsWith('data: ') ? [JSON.parse(line.slice('data: '.length))] : []))
}

const envelope = z.strictObject({
  eventType: z.string(),
  runId: z.string().startsWith('run_'),
  timestamp: z.string(),
  payload: z.record(z.string(), z.unknown()),
})

test('/runs/stream sends a run in envelopes: the working agent, the payment, and the result last', async () => {
  const conversation_id = 'kit'
  await lines('/runs/stream', { objective: 'Write a haiku', agent: 'poet', conversation_id }, ada.token)
  const told = z.array(envelope).parse(await lines('/runs/stream', { objective: 'yes', conversation_id }, ada.token))
  const types = told.map(it => it.eventType)
  expect(types).toEqual(expect.arrayContaining(['agent_invoked', 'payment.settled']))
  expect(told.find(it => it.eventType === 'payment.settled')?.payload).toMatchObject({ amount: '0.5', currency: 'USDC' })
  expect(told.at(-1)).toMatchObject({
    eventType: 'run_completed',
    payload: { output: expect.stringContaining('An old silent pond') },
  })
  // Some clients treat any event name with one of these words as a result, an error or a payment.
  const loud = types.slice(0, -1).filter(it => /completed|failed|error|payment/.test(it))
  expect(loud).toEqual(['payment.settled'])
})

test('/runs/stream needs no token for a free agent', async () => {
  const told = z.array(envelope).parse(await lines('/runs/stream', { objective: 'Write a haiku', agent: 'free-poet' }))
  expect(told.at(-1)).toMatchObject({ eventType: 'run_completed', payload: { output: expect.stringContaining('Splash') } })
})

test('/invoke/{agent}/stream has the format of /invoke/stream', async () => {
  const told = z.array(z.looseObject({ type: z.string() })).parse(await lines('/invoke/free-poet/stream', { message: 'A haiku' }))
  expect(told.at(-1)).toMatchObject({ type: 'run_completed', output: expect.stringContaining('Splash'), success: true })
  expect(told.slice(0, -1).every(it => typeof it.summary_text === 'string')).toBe(true)
})

test('an unknown agent is refused before any stream begins', async () => {
  const answers = ['/runs/stream', '/invoke/nobody/stream'].map(path =>
    fetch(`${market.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ objective: 'hi', agent: 'nobody' }),
    }),
  )
  expect((await Promise.all(answers)).map(it => it.status)).toEqual([404, 404])
})
