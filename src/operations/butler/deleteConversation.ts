import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { operation, userOf } from '../operation.ts'

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
