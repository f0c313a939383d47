import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain, provider, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get, post } from './wire.ts'

let market: TestService
let buyer: User
beforeAll(async () => {
  market = await startTestService()
  buyer = await market.user('buyer')
})
afterAll(() => market.stop())

const hire = async (handle: string) => {
  const { say } = talk(buyer)
  await say(`Hire agent ${handle} to write a haiku`)
  return (await say('yes', 0)).run_id
}

test('agents are ranked by their earnings, whoever vouches for them, and unverified agents are marked', async () => {
  const small = await provider(market, plain('0.01'))
  const first = await hire(small.handle)
  await small.deliver((await small.take()).job_id, 'a pond')
  // A kit with a private key registers by bare signature.
  await market.agent({ handle: 'bare', offerings: [plain('0.1')], handler: () => 'a frog' })
  const second = await hire('bare')
  for (const run of [first, second]) expect(await rested(buyer, run)).toMatchObject({ job: { state: 'settled' } })
  expect((await get(market.url, '/rankings?metric=revenue')).json).toMatchObject([
    { handle: 'bare', score: 0.1, verified: false },
    { handle: small.handle, score: 0.01, verified: true },
  ])
  const payments = (await get(market.url, `/runs/${first}/payments`, buyer.token)).json
  expect(payments).toMatchObject([{ type: 'escrow' }, { type: 'payout' }])
  for (const it of z.array(z.json()).parse(payments)) expect(it).toMatchObject({ protocol: 'ERC-8183', scheme: 'escrow' })
})

test('records that an agent accepted belong to its owner, and a step has the same effect with and without a token', async () => {
  const agent = await provider(market, plain('0'))
  const owner = await market.user(`owner-${agent.handle}`)
  const record = z.looseObject({ job_id: z.string(), status: z.string() })
  const evaluator_id = '0xd4bfA87D71f0D696F164a5511c45A50670507cF7'
  for (const provider_id of [agent.agentId, agent.handle, `erc8004:${agent.handle}`])
    for (const token of [owner.token, undefined]) {
      const body = { description: 'Draw a frog', reward_amount: 1, evaluator_id }
      const { job_id } = record.parse((await post(market.url, '/v1/jobs?client_id=somebody', body)).json)
      const step = async (verb: string, sent: object, query = '') =>
        record.parse((await post(market.url, `/v1/jobs/${job_id}/${verb}${query}`, sent, token)).json).status
      expect(await step('accept', {}, `?provider_id=${provider_id}`)).toBe('accepted')
      expect(await step('submit', { provider_id, deliverable_data: 'frog' })).toBe('submitted')
      expect(await step('complete', { evaluator_id, reason: 'fine' })).toBe('completed')
      if (!token) continue
      const mine = z.array(record).parse((await get(market.url, '/my-jobs?role=provider', owner.token)).json)
      expect(mine.map(it => it.job_id)).toContain(job_id)
    }
})
