import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { toTitleText } from '../../domain/files/fileLinks.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { conversationsRecord, historyRecord } from '../../records/conversation.ts'
import { operation, userOf } from '../operation.ts'
import { renamed } from '../renamed.ts'

export const listConversations = operation({
  name: 'listConversations',
  summary: "The user's conversations with the butler, newest first.",
  scope: 'look',
  input: z.object({ chain_id: z.coerce.number().int().optional() }),
  output: conversationsRecord,

  async run(_input, { store }, caller) {
    const rows = await store.conversations(userOf(caller), limits.pageRows)
    return {
      conversations: rows.map(it => ({
        ...renamed(it, ['conversationId', 'lastMessage', 'messageCount']),
        title: toTitleText(it.title),
        updated_at: toIso(it.updatedAt),
        ...(it.jobState && { job_state: it.jobState }),
      })),
    }
  },
})

/** An unknown conversation is empty, not an error, because clients choose its id before the first message. */
export const readHistory = operation({
  name: 'readHistory',
  summary: 'The messages of a conversation, oldest first. A long deliverable is referenced, not quoted; read it from its run.',
  scope: 'look',
  input: z.object({ conversation_id: z.string().max(200), chain_id: z.coerce.number().int().optional() }),
  output: historyRecord,

  async run({ conversation_id }, { store }, caller) {
    const messages = await store.messages(conversation_id, userOf(caller))
    return {
      conversation_id,
      messages: messages.map(({ role, content, runId, at }) => ({
        role,
        content,
        run_id: runId ?? '',
        timestamp: toIso(at),
      })),
    }
  },
})

export const renameConversation = operation({
  name: 'renameConversation',
  summary: 'Give a conversation a title. An empty one brings back its first message.',
  input: z.object({ conversation_id: z.string().max(200), title: z.string().trim().max(limits.titleChars) }),
  output: z.object({ renamed: z.literal(true) }),

  async run({ conversation_id, title }, { store }, caller) {
    if (!(await store.nameConversation(conversation_id, userOf(caller), title || undefined)))
      throw new Problem('not-found', 'You have no conversation with this id.')
    return { renamed: true as const }
  },
})

export const deleteConversation = operation({
  name: 'deleteConversation',
  summary:
    'Delete what was said in a conversation. An open proposal or question ends without a hire. Jobs, their results and receipts ' +
    'stay, and a job under way goes on.',
  input: z.object({ conversation_id: z.string().max(200) }),
  output: z.object({ deleted: z.literal(true) }),

  async run({ conversation_id }, { store }, caller) {
    if (!(await store.forgetConversation(conversation_id, userOf(caller))))
      throw new Problem('not-found', 'You have no conversation with this id.')
    return { deleted: true as const }
  },
})
