import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { untilFindable } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'
import { openFormerAsking, toResult, toRun } from './clients.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

/** A user of a stock client, who says yes to every question. */
const dial = async (name: string) => {
  const { token } = await market.user(name)
  const at = [new URL(`${market.url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } }] as const
  const client = await openFormerAsking(new FormerTransport(...at), () => true)
  const call = async (tool: string, input: Record<string, unknown>) =>
    toResult(await client.callTool({ name: tool, arguments: input }))
  return { call, close: () => client.close() }
}

const offered = {
  id: 'haiku',
  name: 'Write a haiku',
  description: 'Three lines about anything',
  price: '0.02',
  requirement: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
  deliverable: { type: 'object', properties: { haiku: { type: 'string', minLength: 5 } }, required: ['haiku'] },
}
const polled = z.object({
  job: z
    .object({ job_id: z.string(), input: z.string(), input_chars: z.number(), attempt: z.number(), gives: z.array(z.unknown()) })
    .loose()
    .optional(),
  next_step: z.string(),
})

/** Registers an agent by MCP, which polls once and is then online. */
const open = async (owner: Awaited<ReturnType<typeof dial>>, handle: string) => {
  await owner.call('register_agent', { handle, name: handle, offerings: [offered] })
  const take = async (wait_seconds: number) =>
    polled.parse((await owner.call('poll_job', { agent: handle, wait_seconds })).structuredContent)
  expect(await take(0)).toEqual({ next_step: expect.stringContaining('poll_job') })
  await untilFindable(market.url, `haiku by ${handle}`, handle)
  return { take }
}

test('by MCP alone an agent is registered, takes a job, is told its faults, delivers, and is paid', async () => {
  const [owner, buyer] = [await dial('owner'), await dial('buyer')]
  const { take } = await open(owner, 'haiku-desk')
  const hiring = buyer.call('hire', { task: 'Hire agent haiku-desk to write a haiku. topic: ponds' })
  const { job, next_step } = await take(20)
  expect(job).toMatchObject({
    offering_name: 'Write a haiku',
    price: 0.02,
    attempt: 1,
    gives: [{ field: 'haiku', required: true }],
  })
  expect(JSON.parse(job?.input ?? '')).toEqual({ topic: 'ponds' })
  expect(next_step).toContain(`complete_job with job_id "${job?.job_id}"`)
  const bad = await owner.call('complete_job', { job_id: job?.job_id, deliverable: { haiku: 'no' } })
  expect(bad.structuredContent).toMatchObject({ accepted: true, evaluation: { pass: false } })
  const again = await take(20)
  expect(again.job).toMatchObject({
    job_id: job?.job_id,
    attempt: 2,
    faults: expect.arrayContaining([expect.stringContaining('haiku')]),
  })
  const deliverable = { haiku: 'An old silent pond' }
  const good = await owner.call('complete_job', { job_id: job?.job_id, deliverable })
  expect(good.structuredContent).toMatchObject({ accepted: true, evaluation: { pass: true } })
  const hired = toRun(await hiring)
  expect(hired).toMatchObject({ state: 'completed', job: { state: 'settled' } })
  expect(JSON.parse(hired.job?.deliverable ?? '')).toEqual(deliverable)
  expect((await owner.call('earnings', { agent: 'haiku-desk' })).structuredContent).toMatchObject({
    earnings: [{ amount: '0.02' }],
  })
  const late = await owner.call('complete_job', { job_id: job?.job_id, deliverable: { haiku: 'Another one' } })
  expect(late.structuredContent).toMatchObject({ accepted: false, next_step: expect.stringContaining('changed nothing') })
  await Promise.all([owner.close(), buyer.close()])
})

test('a long input is read whole in parts, and a job that cannot be done refunds its buyer', async () => {
  const [owner, buyer] = [await dial('second owner'), await dial('second buyer')]
  const { take } = await open(owner, 'haiku-hall')
  const topic = Array.from({ length: 900 }, (_, n) => `pond${n}`).join('-')
  const hiring = buyer.call('hire', { task: `Hire agent haiku-hall to write a haiku. topic: "${topic}"` })
  const { job, next_step } = await take(20)
  let input = job?.input ?? ''
  for (let step = next_step; ; ) {
    const [, from] = /description_from (\d+)/.exec(step) ?? []
    if (from === undefined) break
    const told = await owner.call('get_job', { job_id: job?.job_id, description_from: Number(from) })
    const part = z.object({ description: z.string(), next_step: z.string().default('') }).parse(told.structuredContent)
    input += part.description
    step = part.next_step
  }
  expect([input.length, JSON.parse(input)]).toEqual([job?.input_chars, { topic }])
  await owner.call('complete_job', { job_id: job?.job_id, failed: 'There is no room for so many ponds.' })
  const ended = toRun(await hiring)
  expect(ended.job?.state).toBe('refunded')
  expect(ended.content).toContain('no room for so many ponds')
  await Promise.all([owner.close(), buyer.close()])
})

test('an agent is worked only by its owner: others take no job of it and complete none', async () => {
  const [owner, buyer, thief] = [await dial('third owner'), await dial('third buyer'), await dial('thief')]
  const { take } = await open(owner, 'haiku-yard')
  const hiring = buyer.call('hire', { task: 'Hire agent haiku-yard to write a haiku. topic: gates' })
  for (const one of [thief, buyer]) {
    const told = await one.call('poll_job', { agent: 'haiku-yard', wait_seconds: 0 })
    expect(told).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^agent-not-found/) }] })
  }
  const { job } = await take(20)
  for (const one of [thief, buyer]) {
    const told = await one.call('complete_job', { job_id: job?.job_id, deliverable: { haiku: 'HAHA rubbish' } })
    expect(told).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^(?:job|agent)-not-found/) }] })
  }
  await owner.call('complete_job', { job_id: job?.job_id, deliverable: { haiku: 'A gate of bamboo' } })
  expect(toRun(await hiring).job?.state).toBe('settled')
  await Promise.all([owner, buyer, thief].map(it => it.close()))
})

test('by MCP an offering is charged by use: it says its unit, asks for the units, and is paid what was used', async () => {
  const [owner, buyer] = [await dial('unit-owner'), await dial('unit-buyer')]
  const use = { ...offered, price: '0.02 at 0.004/line' }
  await owner.call('register_agent', { handle: 'line-desk', name: 'line-desk', offerings: [use] })
  const shown = await buyer.call('get_agent', { agent: 'line-desk' })
  expect(JSON.stringify(shown.structuredContent)).toContain('0.004 USDC per unit (line, stated by the agent)')
  const take = async (wait_seconds: number) =>
    polled.parse((await owner.call('poll_job', { agent: 'line-desk', wait_seconds })).structuredContent)
  await take(0)
  await untilFindable(market.url, 'haiku by line-desk', 'line-desk')
  const hiring = buyer.call('hire', { task: 'Hire agent line-desk to write a haiku. topic: ponds' })
  const { job, next_step } = await take(20)
  expect(next_step).toContain('say in units how many (line)')
  const deliverable = { haiku: 'An old silent pond' }
  expect((await owner.call('complete_job', { job_id: job?.job_id, deliverable })).isError).toBe(true)
  await owner.call('complete_job', { job_id: job?.job_id, deliverable, units: 3 })
  const { run_id } = toRun(await hiring)
  const { structuredContent } = await buyer.call('list_payments', { run_id })
  expect(structuredContent).toMatchObject({
    payments: [{ amount: '0.02' }, { amount: '0.012' }, { type: 'refund', amount: '0.008' }],
  })
  await Promise.all([owner.close(), buyer.close()])
})
