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

const ofUser = 'conversation_id = $1 and "user" = $2'

// The newest page of messages, in chronological order.
const newest = `select ${messages.columns} from (
    select seq, ${shown} from message where ${ofUser} order by seq desc limit $3
  ) page order by seq`

const last = `(select max(seq) from message where ${ofUser})`
// The name stands on the newest message, which is pruned last.
const named = `update message set title = case when seq = ${last} then cast($3 as text) end
  where ${ofUser} and (seq = ${last} or title is not null) returning seq`

type ConversationTables = Pick<Tables, 'addMessage' | 'messages' | 'nameConversation' | 'forgetConversation'>

export const conversationTable = ({ read, run, write }: Scope): ConversationTables => ({
  addMessage: (conversationId, user, { role, content, runId, act }) =>
    write(async ({ later }) => {
      later(...insertion('message', { conversationId, user, role, content, runId, act }, ['at']))
    }),

  messages: async (conversationId, user) => messages.all(await read(newest, [conversationId, user, limits.pageRows])),

  nameConversation: (conversationId, user, title) => hasRow(run(named, [conversationId, user, title])),

  forgetConversation: (conversationId, user) =>
    hasRow(run(`delete from message where ${ofUser} returning seq`, [conversationId, user])),
})
