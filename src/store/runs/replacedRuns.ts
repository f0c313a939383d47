import { z } from 'zod'
import { replacedKey } from '../../domain/runs/proposal.ts'
import { flag, maybe } from '../../ports/rows/columns.ts'
import type { RunInput } from '../../ports.ts'
import type { Row, Tx } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { takeAnswer, takeInput } from './runInputs.ts'

// A conversation has one open proposal, the newest. Two messages that were read at once may have led to two.

const rivals = rowOf({ id: z.string(), interruptId: maybe(z.string()), isOpen: flag })

/** The runs beside this one in its conversation, newest first: those with an open proposal, an accepted one or a job. */
const ofConversation = `select b.id, b.interrupt_id, case when b.state = 'awaiting-confirmation' then 1 else 0 end as is_open
  from run a join run b on b.conversation_id = a.conversation_id and b."user" = a."user" and b.target is not distinct
  from a.target
  where a.id = $1 and b.parent is null and (b.id = a.id or b.follows is null) and (b.state = 'awaiting-confirmation'
    or (b.seq > a.seq and (b.job_id is not null or (b.state = 'working' and b.proposal is not null))))
  order by b.seq desc limit 20`

/** A condition on a row of `run`: its conversation has another one. */
export const hasOthers = `exists (select 1 from run other where other.conversation_id = run.conversation_id
  and other."user" = run."user" and other.id <> run.id)`

const lock = `select id from run where seq = (select min(b.seq) from run a join run b
  on b.conversation_id = a.conversation_id and b."user" = a."user" where a.id = $1) {LOCK}`

/** Lets writers of one conversation wait for each other. */
export const lockConversation = ({ sql }: Tx, runId: string) => sql(lock, [runId])

const replaced: RunInput = { kind: 'decision', decision: 'replaced', digest: '', text: '' }

/** The rows of the runs whose proposals may be replaced. */
export const readRivals = ({ sql }: Tx, runId: string) => sql(ofConversation, [runId])

/** Answers all open proposals of a run's conversation but the newest, so that no yes can accept them. */
export const replaceProposals = async (tx: Tx, rows: Row[]): Promise<void> => {
  const [, ...older] = rivals.all(rows)
  for (const { id, interruptId, isOpen } of older) {
    if (!isOpen || interruptId === undefined) continue
    // An answer that was recorded before stands.
    const answer = { runId: id, said: replaced }
    if (await takeAnswer(tx, { ...answer, key: interruptId })) await takeInput(tx.sql, { ...answer, key: replacedKey })
  }
}
