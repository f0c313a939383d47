import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { demoHandles } from '../../src/domain/agents/localAgents.ts'
import { talk } from '../hire/market.ts'
import type { TestService, User } from '../service.ts'
import { openMarket } from '../web/market.ts'

const list = z.object({ data: z.array(z.object({ agent_handle: z.string(), examples: z.array(z.string()) })) })

let market: TestService
let user: User
beforeAll(async () => {
  market = await openMarket({}, demoHandles)
  user = await market.user('newcomer')
})
afterAll(() => market?.stop())

test('each example that a demo agent suggests leads to a proposal of that agent, without a question and with nothing left out', async () => {
  const { data: listed } = list.parse(await user.client.get('/services?limit=100'))
  expect(new Set(listed.map(it => it.agent_handle))).toEqual(new Set(demoHandles))
  const wrong: string[] = []
  for (const { agent_handle, examples } of listed)
    for (const example of examples) {
      const { content, data } = await talk(user).say(example)
      const { agentHandle, left_out } = data.proposal ?? {}
      const isRight = data.state === 'awaiting-confirmation' && agentHandle === agent_handle && left_out?.length === 0
      if (!isRight) wrong.push(`${example} → ${content.slice(0, 200)}, left out: ${left_out?.join('; ')}`)
    }
  expect(wrong).toEqual([])
})
