import { z } from 'zod'
import { toDeliverableReference } from '../../domain/jobs/deliverable.ts'
import { limits } from '../../domain/limits.ts'
import { askingStates, messageRow } from '../../ports/rows/run.ts'
import type { RunInput } from '../../ports.ts'
import type { Row, Tx } from '../engine/db.ts'
import { hasRow, insertion, quoted, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { decline } from './plans.ts'
import { takeInput } from './runInputs.ts'

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

const asking = rowOf({ id: z.string(), interruptId: z.string() })
const open = `select id, interrupt_id from run where ${ofUser} and parent is null and interrupt_id is not null
  and state in (${quoted(askingStates)}) {LOCK}`
const end = `update run set state = 'completed', interrupt_id = null, answer = '', wake_at = null, updated_at = {NOW} where id = $1`
const closed: RunInput = { kind: 'decision', decision: 'no', digest: '', text: '' }

export const conversationTable = tableGroup(({ read, run, write }) => ({
  addMessage: (conversationId, user, { role, content, runId, act }) =>
    write(async ({ later }) => {
      later(...insertion('message', { conversationId, user, role, content, runId, act }, ['at']))
    }),

  messages: async (conversationId, user) => messages.all(await read(newest, [conversationId, user, limits.pageRows])),

  nameConversation: (conversationId, user, title) => hasRow(run(named, [conversationId, user, title])),

  forgetConversation: (conversationId, user) =>
    write(async tx => {
      const isThere = await hasRow(tx.sql(`delete from message where ${ofUser} returning seq`, [conversationId, user]))
      if (isThere) await closeOpen(tx, await tx.sql(open, [conversationId, user]))
      return isThere
    }),
}))

/** Ends runs that wait for their user, so that no later word agrees to what is not shown any more. A recorded answer stands. */
const closeOpen = async ({ sql, notify }: Tx, rows: Row[]): Promise<void> => {
  for (const { id: runId, interruptId: key } of asking.all(rows)) {
    if (!(await takeInput(sql, { runId, key, said: closed }))) continue
    await sql(end, [runId])
    await sql(decline, [runId])
    for (const channel of [`run:${runId}`, `rest:${runId}`]) notify(channel)
  }
}
