import { z } from 'zod'
import type { AgentOffering } from '../../src/kit/kit.ts'
import { deliveredFile } from '../../src/records/file.ts'
import { ask, provider, readRun, talk } from '../hire/market.ts'
import type { TestService, User } from '../service.ts'
import { png, upload } from './wire.ts'

const picture = { type: 'string', format: 'file', contentMediaType: 'image/*', description: 'The picture to make smaller' }
const small = { type: 'string', format: 'file', contentMediaType: 'image/png', maxBytes: 1_000 }
export const shrinking: AgentOffering = {
  id: 'shrink',
  name: 'Shrink a picture',
  description: 'Makes a picture smaller.',
  price: '0.5',
  slaMinutes: 5,
  requirement: { type: 'object', properties: { picture }, required: ['picture'] },
  deliverable: { type: 'object', properties: { small }, required: ['small'] },
}

export const leased = z.object({
  job_id: z.string(),
  job_input: z.string(),
  upload_url: z.string(),
  files: z.array(deliveredFile),
})

/** A hire of an agent with this file, up to its lease. */
export const leaseWith = async (
  market: TestService,
  user: User,
  { fileId, offering = shrinking }: { fileId: string; offering?: AgentOffering | undefined },
) => {
  const agent = await provider(market, offering)
  const chat = talk(user)
  const body = { message: `Hire ${agent.handle} to shrink this picture`, files: [fileId] }
  const asked = z
    .object({ run_id: z.string(), content: z.string() })
    .parse(await user.client.post('/invoke', { ...body, context: { conversation_id: chat.conversationId } }))
  const { proposal } = await readRun(user, asked.run_id)
  if (!proposal) throw new Error(`no proposal: ${asked.content}`)
  await chat.say('yes', 0)
  const polled = await ask({ url: market.url, token: agent.token }, `/gateway/jobs/poll?agent=${agent.agentId}&timeout=10`)
  return { agent, runId: asked.run_id, proposal, job: leased.parse(polled.body) }
}

/** The same with a picture of the user. */
export const leaseShrinking = async (market: TestService, user: User) =>
  leaseWith(market, user, {
    fileId: (await upload({ url: market.url, token: user.token }, { bytes: png, name: 'photo.png' })).file_id,
  })
