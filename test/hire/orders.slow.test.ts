import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readOrders } from '../conversations/orders/read.ts'
import { inLanes } from '../conversations/people/providers.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { balancesOf, plain, provider } from './market.ts'

let market: TestService
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  poet = await provider(market, plain('0.5'), 'poet')
})
afterAll(() => market?.stop())

const lanes = 6

/** The doors that take a task, each with the member that carries it. */
const doors = [
  ['/invoke', 'message'],
  ['/invoke/stream', 'message'],
  ['/runs/stream', 'objective'],
] as const

/** Sends a message in a new conversation through one of the doors. */
const sendTo = (user: User, message: string, { at, ...rest }: { at: number; wait_ms?: number }) => {
  const [path, member] = doors[at % doors.length] ?? doors[0]
  return fetch(`${market.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ [member]: message, context: { conversation_id: randomUUID() }, ...rest }),
  })
}

const job = z.object({ agent_id: z.string().optional(), provider_id: z.string().nullish() })
const jobsOf = async ({ client }: User) => z.array(job).parse(await client.get('/my-jobs?role=client'))
const named = (price: string) => ({ handle: poet.handle, id: poet.agentId, price })

test('no message that is not the whole hire sentence hires, through any door', async () => {
  const messages = await readOrders('no-orders', named('9'))
  const users = await Promise.all(['no-1', 'no-2', 'no-3'].map(it => market.user(it)))
  const before = await Promise.all(users.map(it => balancesOf(it)))
  const answered: number[] = []
  await inLanes([...messages.entries()], lanes, async ([at, { say }]) => {
    const user = users[at % users.length]
    if (!user) return
    const response = await sendTo(user, say, { at: Math.floor(at / users.length) })
    // The answer is complete when the butler has asked or ended.
    await response.text()
    answered.push(response.status)
  })
  expect([messages.length >= 120, new Set(answered)]).toEqual([true, new Set([200])])
  expect(await Promise.all(users.map(jobsOf))).toEqual([[], [], []])
  expect(await Promise.all(users.map(it => balancesOf(it)))).toEqual(before)
}, 120_000)

test('every hire sentence of an existing client hires at once', async () => {
  const messages = await readOrders('orders', named('0.5'))
  await inLanes([...messages.entries()], lanes, async ([at, { say }]) => {
    const user = await market.user(`order-${at}`)
    const response = await sendTo(user, say, { at, wait_ms: 0 })
    expect(response.status).toBe(200)
    await until(`the job of: ${say}`, async () => ((await jobsOf(user)).length === 1 ? true : undefined))
    await response.body?.cancel()
  })
  expect(messages.length).toBeGreaterThanOrEqual(25)
}, 120_000)
