import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { plain, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { countUp } from '../store/rows.ts'
import { post } from './wire.ts'

let market: TestService
const servers: ReturnType<typeof createServer>[] = []
beforeAll(async () => {
  market = await startTestService()
})
afterAll(async () => {
  for (const server of servers) server.closeAllConnections()
  await market.stop()
  await Promise.all(servers.map(server => new Promise(done => server.close(done))))
})

/** Registers an agent with its own endpoint and an offering at this price. */
const pushed = async (handle: string, price: number, answer: RequestListener) => {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const owner = await market.user(`owner-of-${handle}`)
  const { price: _price, ...unpriced } = plain('0')
  const job_offerings = [{ ...unpriced, price_v2: { type: 'fixed', amount: price }, sla_minutes: 5 }]
  const body = { handle, chain_id: 97, endpoint_url: `http://127.0.0.1:${port}`, job_offerings }
  expect(await post(market.url, '/agents/register', body, owner.token)).toMatchObject({ status: 200 })
}

const hire = async (handle: string, name: string) => {
  const user = await market.user(name)
  const { say } = talk(user)
  await say(`Hire agent ${handle} to write a haiku`)
  return { user, runId: (await say('yes', 0)).run_id }
}

test('an agent that does not answer gets few concurrent calls, and delays the jobs of no other agent', async () => {
  let open = 0
  let most = 0
  await pushed('hanging', 0, (request, response) => {
    open += 1
    most = Math.max(most, open)
    response.once('close', () => {
      open -= 1
    })
    request.resume()
  })
  await pushed('prompt', 0.5, (_request, response) => response.end(JSON.stringify({ success: true, content: 'A frog jumps in' })))
  for (const _ of countUp(40)) await hire('hanging', 'waster')
  await until('the agent to be called', async () => open === limits.freePushesOfOwnerAtOnce)
  const { user, runId } = await hire('prompt', 'ada')
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled', deliverable: 'A frog jumps in' } })
  expect(most).toBe(limits.freePushesOfOwnerAtOnce)
})
