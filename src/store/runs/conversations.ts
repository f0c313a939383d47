import { toDeliverableReference } from '../../domain/jobs/deliverableReference.ts'
import { limits } from '../../domain/limits.ts'
import { messageRow } from '../../ports/rows/run.ts'
import type { Tables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { hasRow, insertion, rowOf } from '../engine/rows.ts'

const messages = rowOf(messageRow)

/** A text column of the butler's messages in which a long deliverable of the run is replaced by a reference. */
export const withoutDeliverable = (column: string, runId: string): string =>
  `case when length(${column}) <= ${limits.listedDeliverableChars} then ${column} else replace(${column},
    coalesce((select j.deliverable from job j where j.run_id = ${runId}
    and length(j.deliverable) > ${limits.listedDeliverableChars}), ''),
    '${toDeliverableReference(`' || ${runId} || '`)}') end as "${column.split('.').at(-1)}"`

const shown = messages.columns.replace('"content"', withoutDeliverable('content', `coalesce(message.run_id, '')`))

// The newest page of messages, in chronological order.
const newest = `select ${messages.columns} from (
    select seq, ${shown} from message where conversation_id = $1 and "user" = $2 order by seq desc limit $3
  ) page order by seq`

type ConversationTables = Pick<Tables, 'addMessage' | 'messages' | 'forgetConversation'>

export const conversationTable = ({ read, run, write }: Scope): ConversationTables => ({
  addMessage: (conversationId, user, { role, content, runId, act }) =>
    write(async ({ later }) => {
      later(...insertion('message', { conversationId, user, role, content, runId, act }, ['at']))
    }),

  messages: async (conversationId, user) => messages.all(await read(newest, [conversationId, user, limits.pageRows])),

  forgetConversation: (conversationId, user) =>
    hasRow(run('delete from message where conversation_id = $1 and "user" = $2 returning seq', [conversationId, user])),
})
