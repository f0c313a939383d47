import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { demoHandles } from '../../src/domain/agents/localAgents.ts'
import { fileMembersOf } from '../../src/domain/files/fileMembers.ts'
import { jsonObject } from '../../src/domain/json.ts'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import { toPdf } from '../files/pdf.ts'
import { png, upload } from '../files/wire.ts'
import type { TestService, User } from '../service.ts'
import { openMarket } from '../web/market.ts'

const list = z.object({ data: z.array(z.object({ agent_handle: z.string(), examples: z.array(z.string()) })) })
const agent = z.object({ job_offerings: z.array(z.object({ requirement: jsonObject })) })

/** A file of the kind that an offering takes; none where it takes none. */
const filesFor = async (handle: string): Promise<string[]> => {
  const { job_offerings: offerings } = agent.parse(await user.client.get(`/agents/${handle}`))
  const [member] = offerings.flatMap(it => fileMembersOf(it.requirement))
  if (!member) return []
  const csv = new TextEncoder().encode('month,sales\nMay,3\nJune,5\n')
  const [bytes, name] = member.mediaType.includes('image')
    ? ([png, 'photo.png'] as const)
    : member.mediaType.includes('pdf')
      ? ([toPdf(['One page.']), 'page.pdf'] as const)
      : ([csv, 'table.csv'] as const)
  return [(await upload({ url: market.url, token: user.token }, { bytes, name })).file_id]
}

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
  for (const { agent_handle, examples } of listed) {
    const files = await filesFor(agent_handle)
    for (const example of examples) {
      const { content, data } = invokeOutput.parse(await user.client.post('/invoke', { message: example, files }))
      const { agentHandle, left_out } = data.proposal ?? {}
      const isRight = data.state === 'awaiting-confirmation' && agentHandle === agent_handle && left_out?.length === 0
      if (!isRight) wrong.push(`${example} → ${content.slice(0, 200)}, left out: ${left_out?.join('; ')}`)
    }
  }
  expect(wrong).toEqual([])
})
