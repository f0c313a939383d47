import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { boardOf } from '../../../src/features/jobBoard/ports.ts'
import { send } from '../../http/wire.ts'
import { startTestService, type TestService, type User } from '../../service.ts'

let market: TestService
let users: User[]
beforeAll(async () => {
  market = await startTestService()
  users = [await market.user('ada'), await market.user('bob')]
})
afterAll(() => market?.stop())

const body = { client_id: 'program', description: 'Paint it' }
const job = z.object({ job_id: z.string() })
const counted = async () => (await boardOf(market.service.world.deps.store).board({ now: 0, limit: 1, offset: 0 })).total
const postJob = (key: string, sent = body, user = users[0]) =>
  send(market.url, {
    method: 'POST',
    path: '/v1/jobs',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${user?.token}`, 'idempotency-key': key },
    body: JSON.stringify(sent),
  })

test('row 44: a job is posted once for a key and a user, also by five requests at once, and another job under the key is refused', async () => {
  const key = randomUUID()
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => postJob(key)))
  expect(new Set([...answers, await postJob(key)].map(it => job.parse(it.json).job_id)).size).toBe(1)
  expect(await postJob(key, { ...body, description: 'Paint it black' })).toMatchObject({ code: 'idempotency-conflict' })
  expect(await postJob('k'.repeat(256))).toMatchObject({ status: 422, code: 'invalid-input' })
  expect(await counted()).toBe(1)
  const theirs = await postJob(key, body, users[1])
  expect(job.parse(theirs.json)).not.toEqual(job.parse(answers[0]?.json))
})
