import { z } from 'zod'
import type { Client } from './client.ts'

const event = z.object({
  type: z.string(),
  summary_text: z.string().default(''),
  data: z.record(z.string(), z.json()).default({}),
})

/** The last event of a message's stream. */
const closing = z.object({
  run_id: z.string(),
  content: z.string().default(''),
  error: z.string().default(''),
  conversation_id: z.string().default(''),
  data: z
    .object({ state: z.string(), job: z.object({ job_id: z.string(), state: z.string() }).loose().optional() })
    .loose()
    .optional(),
})
export type Reply = z.infer<typeof closing>

export type Step = { type: string; words: string }

export const say = async (
  client: Client,
  message: { text: string; conversationId: string },
  onStep: (step: Step) => void,
): Promise<Reply> => {
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  const body = { message: message.text, time_zone, context: { conversation_id: message.conversationId } }
  for await (const raw of client.stream('/invoke/stream', body)) {
    const it = event.safeParse(raw)
    const type = it.success ? it.data.type : ''
    if (type === 'run_completed' || type === 'run_error') return closing.parse(raw)
    if (it.success && it.data.summary_text) onStep({ type, words: it.data.summary_text })
  }
  throw new Error('The stream ended without a result.')
}
