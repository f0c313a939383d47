import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { eventsOf, hireForHaiku, plain, provider, rested } from '../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { post } from './wire.ts'

let market: TestService
let buyer: User
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService()
  buyer = await market.user('buyer')
  poet = await provider(market, plain('0', { slaMinutes: 10 }))
})
afterAll(() => market?.stop())

const hired = (handle: string) => hireForHaiku(buyer, handle)
const given = async () => {
  const runId = await hired(poet.handle)
  return { runId, jobId: (await poet.take()).job_id }
}
const tell = (jobId: string, text: string, token: string | undefined = poet.token) =>
  post(market.url, '/gateway/jobs/progress', { job_id: jobId, text }, token)
const saidIn = async (runId: string) =>
  (await eventsOf(buyer, runId)).flatMap(it => (it.type === 'progress' ? it.summary_text : []))

test('the hirer reads what the agent says about its progress, one line and nothing invisible', async () => {
  const { runId, jobId } = await given()
  expect((await tell(jobId, 'half\nof the\u202e lines')).json).toEqual({ job_id: jobId, kept: true })
  expect(await saidIn(runId)).toEqual(['half of the lines'])
})

test('a job keeps fifty texts of three hundred characters, and none after its end', async () => {
  const { runId, jobId } = await given()
  for (let n = 0; n < limits.progressTexts + 2; n++) await tell(jobId, `${n} ${'x'.repeat(1_000)}`)
  const said = await saidIn(runId)
  expect([said.length, Math.max(...said.map(it => it.length))]).toEqual([limits.progressTexts, limits.progressChars])

  const other = await given()
  await poet.deliver(other.jobId, 'A poem')
  expect((await tell(other.jobId, 'still at it')).json).toMatchObject({ kept: false })
})

test('nobody else speaks to the hirer: neither without a credential nor with that of another user', async () => {
  const { runId, jobId } = await given()
  expect((await post(market.url, '/gateway/jobs/progress', { job_id: jobId, text: 'hello' })).status).toBe(401)
  expect((await tell(jobId, 'hello', buyer.token)).status).toBe(404)
  expect(await saidIn(runId)).toEqual([])
})

test("a handler's progress reaches the hirer before its deliverable", async () => {
  const owner = await market.user('owner-of-slow')
  await market.agent({
    handle: 'slow-poet',
    credential: { token: owner.token },
    offerings: [plain('0', { name: 'Write a slow ode' })],
    handler: async ({ progress }) => {
      await progress('two of five verses are written')
      return 'An ode'
    },
  })
  const runId = await hired('slow-poet')
  await rested(buyer, runId)
  const types = await until('the progress', async () => {
    const all = (await eventsOf(buyer, runId)).map(it => it.type)
    return all.includes('progress') && all.includes('job.submitted') ? all : undefined
  })
  expect(types.indexOf('progress')).toBeLessThan(types.indexOf('job.submitted'))
})
