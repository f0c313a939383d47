import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import type { Tables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { insertion, maybe, rowOf } from '../engine/rows.ts'

const messages = rowOf({ role: z.enum(['user', 'agent']), content: z.string(), runId: maybe(z.string()), at: z.number() })

// The newest page, in the order it was said.
const newest = `select ${messages.columns} from (
    select seq, ${messages.columns} from message where conversation_id = $1 and "user" = $2 order by seq desc limit $3
  ) page order by seq`

type ConversationTables = Pick<Tables, 'addMessage' | 'messages'>

export const conversationTable = ({ read, write }: Scope): ConversationTables => ({
  addMessage: (conversationId, user, { role, content, runId }) =>
    write(async ({ sql }) => {
      await sql(...insertion('message', { conversationId, user, role, content, runId }, ['at']))
    }),

  messages: async (conversationId, user) => messages.all(await read(newest, [conversationId, user, limits.pageRows])),
})
