import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { operation, userOf } from '../operation.ts'

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
