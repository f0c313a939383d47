import { z } from 'zod'

export const butlerRecord = z.object({
  agent_id: z.string(),
  handle: z.string(),
  display_name: z.string(),
  wallet_address: z.string().describe('The custodial wallet that pays'),
  owner_id: z.string(),
  chain_id: z.number(),
  stats: z.object({ total_jobs: z.number(), completed_jobs: z.number(), total_revenue: z.number(), total_spent: z.number() }),
  activated_at: z.string(),
})
export type ButlerRecord = z.infer<typeof butlerRecord>

export const conversationsRecord = z.object({
  conversations: z.array(
    z.object({
      conversation_id: z.string(),
      title: z.string().describe('The title that the user gave it, or the first message'),
      last_message: z.string().describe('The beginning of the last message'),
      message_count: z.number(),
      updated_at: z.string(),
      job_state: z.string().optional().describe('State of the job that its newest message is about'),
    }),
  ),
})

export const historyRecord = z.object({
  conversation_id: z.string(),
  messages: z.array(
    z.object({ role: z.enum(['user', 'agent']), content: z.string(), run_id: z.string(), timestamp: z.string() }),
  ),
})
export type ConversationsRecord = z.infer<typeof conversationsRecord>
type HistoryRecord = z.infer<typeof historyRecord>
export type ConversationRecord = ConversationsRecord['conversations'][number]
export type MessageRecord = HistoryRecord['messages'][number]
