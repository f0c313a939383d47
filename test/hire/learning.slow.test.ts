import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { get, post } from '../http/wire.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { plain, provider, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const answer = z.object({
  offerings: z.array(
    z.object({
      agent_handle: z.string(),
      explanation: z
        .object({ score: z.number(), terms: z.array(z.object({ term: z.string() })), ngrams: z.number(), learned: z.number() })
        .optional(),
    }),
  ),
})
const find = async (query: string, more = '') =>
  answer.parse((await get(market.url, `/offerings/search?query=${encodeURIComponent(query)}${more}`)).json).offerings
const firstIs = (query: string, handle: string | undefined) =>
  until(`${handle} to be first`, async () => ((await find(query))[0]?.agent_handle === handle ? true : undefined))

test('a settled hire ranks its offering first for a similar request, until its payer opts out', async () => {
  const buyer = await market.user('learning-buyer')
  const hired = await provider(market, plain('0.1'), 'zz-hired')
  await provider(market, plain('0.1'), 'aa-other')
  await until('both to be found', async () => ((await find('a haiku')).length === 2 ? true : undefined))
  const wish = 'volcano eruption'
  expect(await find(wish)).toEqual([])

  const { say } = talk(buyer)
  await say(`Hire agent ${hired.handle} to write a haiku about a volcano eruption`)
  await say('yes', 0)
  const { job_id } = await hired.take()
  await hired.deliver(job_id, 'fire under the snow')
  await firstIs(wish, hired.handle)
  expect((await find(`haiku of ${wish}`)).map(it => it.agent_handle)).toEqual([hired.handle, 'aa-other'])

  const [hit] = await find(wish, '&explain=true')
  expect(hit?.explanation?.terms).toEqual([])
  expect(hit?.explanation?.learned).toBeCloseTo(hit?.explanation?.score ?? 0, 9)
  const [own] = await find('haiku', '&explain=true')
  expect(own?.explanation?.terms.map(it => it.term)).toEqual(['haiku'])

  expect(await post(market.url, '/v1/learning', { enabled: false })).toMatchObject({ status: 401 })
  const refused = await post(market.url, '/v1/learning', { enabled: false }, buyer.token)
  expect(refused).toMatchObject({ status: 200, json: { enabled: false } })
  await firstIs(wish, undefined)
})
