import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain, provider } from '../../hire/market.ts'
import { get, post } from '../../http/wire.ts'
import { startTestService, type TestService } from '../../service.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

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

test('a posted job without a character that can be seen is refused', async () => {
  for (const description of ['', ' ', '\u200b', '\u2063\u200d ']) {
    const { status, json } = await post(market.url, '/v1/jobs?client_id=someone', { description })
    expect([description, status, json]).toMatchObject([description, 422, { pointer: '/description' }])
  }
})
