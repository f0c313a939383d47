import { z } from 'zod'

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
export type HistoryRecord = z.infer<typeof historyRecord>
export type ConversationRecord = ConversationsRecord['conversations'][number]
export type MessageRecord = HistoryRecord['messages'][number]
