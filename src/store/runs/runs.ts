import { z } from 'zod'
import { finalStates } from '../../domain/jobs/job.ts'
import { askingStates, type RunState, runRow, workingStates } from '../../ports/rows/run.ts'
import type { RunSnapshot, Tables } from '../../ports.ts'
import { followedBy, type Row, type Scope, type Tx } from '../engine/db.ts'
import type { Holder } from '../engine/holder.ts'
import { hasRow, insertion, joined, quoted, rowOf, type Statement } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { toRemoveThread, toStoreThread } from './checkpointRows.ts'
import { withoutDeliverable } from './conversations.ts'
import { addSteps, leaveSteps, stepsBefore } from './history.ts'
import { decline } from './plans.ts'
import { hasOthers, lockConversation, readRivals, replaceProposals } from './replacedRuns.ts'
import { appendRunEvent, packRunEvents, readRunEvents, sendRunEvent } from './runEvents.ts'
import { inputs, takeAnswer, takeInput, wakeRun } from './runInputs.ts'

const runs = rowOf(runRow)
const listedColumns = runs.columns.replace('"answer"', withoutDeliverable('answer', 'run.id'))

// Messages belong to the plan's run, not to the runs of its steps.
const ofConversation = `select ${runs.columns} from run where conversation_id = $1 and "user" = $2 and parent is null`

const newestSeq = 'select max(seq) from run where conversation_id = $1 and "user" = $2 and parent is null'
const answerable = `${newestSeq} union ${newestSeq} and state in (${quoted(askingStates)})`
const isAsking = (state: RunState) => askingStates.some(it => it === state)

// The butler's message becomes part of the conversation, but not twice in a row for the same run.
const sayOnce = (content: string) => `insert into message (conversation_id, "user", role, content, run_id, at)
  select r.conversation_id, r."user", 'agent', cast(${content} as text), r.id, {NOW} from run r
  where r.id = $1 and r.parent is null and not exists (
    select 1 from message m where m.role = 'agent' and m.content = ${content} and m.seq = (select max(l.seq) from message l
    where l.conversation_id = r.conversation_id and l."user" = r."user" and l.run_id = r.id))`

// Stores the act of the newest message of the run's user.
const readAs = `update message set act = $9 where seq = (
  select max(m.seq) from message m join run r on m.conversation_id = r.conversation_id and m."user" = r."user"
  where r.id = $1 and m.run_id = r.id and m.role = 'user')`

export const runTable = tableGroup((scope, holder: Holder) => ({
  ...readings(scope),
  ...asking(scope),
  ...bounding(scope),
  ...holding(scope, holder),
}))

const readings = ({ read }: Scope) => ({
  run: async (id: string) => runs.one(await read(`select ${runs.columns} from run where id = $1`, [id])),

  runs: async ({ user, limit, offset }: Parameters<Tables['runs']>[0]) =>
    runs.all(
      await read(`select ${listedColumns} from run where "user" = $1 order by seq desc limit $2 offset $3`, [
        user,
        limit,
        offset,
      ]),
    ),

  changedRuns: async ({ user, conversationId, since, limit }: Parameters<Tables['changedRuns']>[0]) =>
    runs.all(
      await read(
        `select ${listedColumns} from run where "user" = $1
         and updated_at > $2 ${conversationId === undefined ? '' : 'and conversation_id = $4'}
         order by updated_at desc, id desc limit $3`,
        [user, since, limit, ...(conversationId === undefined ? [] : [conversationId])],
      ),
    ),

  newestRun: async (conversationId: string, user: string) =>
    runs.one(await read(`${ofConversation} order by seq desc limit 1`, [conversationId, user])),

  latestRuns: async (conversationId: string, user: string, limit: number) =>
    runs.all(await read(`${ofConversation} order by seq desc limit $3`, [conversationId, user, limit])),

  answerableRuns: async (conversationId: string, user: string) => {
    const found = runs.all(await read(`${ofConversation} and seq in (${answerable}) order by seq desc`, [conversationId, user]))
    return { newest: found[0], waiting: found.find(it => isAsking(it.state)) }
  },

  runInput: async (runId: string, interruptId: string) =>
    inputs.one(await read('select input from run_input where run_id = $1 and interrupt_id = $2', [runId, interruptId]))?.input,
})

const asking = tableGroup(({ run, write }) => ({
  setNextTasks: (id, tasks) =>
    write(async ({ sql, notify }) => {
      await sql('update run set next_tasks = $2, updated_at = {NOW} where id = $1', [id, JSON.stringify(tasks)])
      notify(`run:${id}`)
    }),

  addRun: run =>
    write(async ({ sql, notify }) => {
      const state = run.state ?? (run.answer === undefined ? 'working' : 'completed')
      const values = { ...run, state, answer: run.answer ?? '' }
      const [insert, params] = insertion('run', values, [...(state === 'working' ? ['wakeAt'] : []), 'createdAt', 'updatedAt'])
      const added = runs.sole(await sql(`${insert} returning ${runs.columns}`, params))
      notify('runs')
      return added
    }),

  addRunInput: (runId, interruptId, said) => write(tx => takeAnswer(tx, { runId, key: interruptId, said })),

  keepRunInput: (runId, key, said) => takeInput(run, { runId, key, said }),

  wakeRun: id => write(async tx => wakeRun(tx, id)),

  endCalledRun: (id, { state, answer }) =>
    write(async ({ sql, notify }) => {
      const end = `update run set state = $2, answer = $3, updated_at = {NOW}
        where id = $1 and state = 'awaiting-job' and job_id is null returning ${runs.columns}`
      const ended = runs.one(await sql(end, [id, state, answer]))
      if (ended) await sql(sayOnce('$2'), [id, answer])
      for (const channel of [`run:${id}`, `rest:${id}`]) notify(channel)
      return ended
    }),
}))

const open = `select count(*) as total from run where "user" = $1 and parent is null
  and state in (${quoted([...workingStates, ...askingStates])})
  and (state in (${quoted(workingStates)}) or updated_at > {NOW} - $2)`

const working = `select count(*) as of_all, count(case when source = $2 then 1 end) as of_source from run
  where "user" = $1 and state in (${quoted(workingStates)})`
const workingCounts = rowOf({ ofAll: z.coerce.number(), ofSource: z.coerce.number() })

const bounding = tableGroup(({ read, write }) => ({
  countWorkingRuns: async (user, source) => workingCounts.one(await read(working, [user, source])) ?? { ofAll: 0, ofSource: 0 },

  lockOpenRunCount: (user, freshMs) =>
    write(async ({ sql }) => {
      // The user's oldest run serves as the lock, so that concurrent counts wait for each other.
      const locked = sql('select id from run where "user" = $1 order by seq limit 1 {LOCK}', [user])
      const [[row]] = await Promise.all([sql(open, [user, freshMs]), locked])
      return z.coerce.number().parse(row?.total)
    }),
}))

const holding = tableGroup(({ run, read, write, alone }, { steps: left }: Holder) => ({
  renewRunLease: async (id, lease, leaseMs) => {
    const hold = 'update run set held_until = {NOW} + $3 where id = $1 and holds = $2 and held_until is not null returning id'
    return hasRow(run(hold, [id, lease, leaseMs]))
  },

  releaseRun: async (id, lease, snapshot) => {
    const { steps = [] } = snapshot
    const before = steps.length > 0 ? await stepsBefore(read, left, { runId: id, lease }) : undefined
    const history = addSteps({ runId: id, steps, kept: before })
    const released = await end({ write, alone }, { id, lease, snapshot, history: history.statements })
    if (snapshot.state === 'completed' || snapshot.state === 'failed') left.delete(id)
    else if (released && steps.length > 0) leaveSteps(left, { runId: id, lease, kept: history.kept })
    return released
  },
}))

type Release = { id: string; lease: string; snapshot: RunSnapshot; history: Statement[] }

/** Ends a lease and stores all that it made, in one statement. An end and a proposal concern more rows. */
const end = async (
  { write, alone }: Pick<Scope, 'write' | 'alone'>,
  { id, lease, snapshot, history }: Release,
): Promise<boolean> => {
  const { state, thread, told = [] } = snapshot
  const isGoingOn = workingStates.some(it => it === state)
  const isOver = state === 'completed'
  const stored = thread ? toStoreThread(thread) : []
  const toStatement = (text: string) =>
    joined([
      [text, [id, lease, ...toColumns(snapshot)]],
      ...(isOver ? [] : stored),
      ...history,
      ...(isGoingOn ? [] : [[wakeParent, [id]] satisfies Statement]),
      ...(isOver ? [[declineAtEnd, [id]] satisfies Statement] : []),
    ])
  const channels = [`run:${id}`, ...(isGoingOn ? [] : [`rest:${id}`])]
  // Woken before, so this process alone need look.
  const here = (row: Row) => (row.wake_at !== null || (!isGoingOn && row.parent !== null) ? ['runs'] : [])
  const isProposal = state === 'awaiting-confirmation'
  // The only run of its conversation replaces no other proposal. A run that was added meanwhile replaces this one.
  if (alone && !isOver && told.length === 0 && (!isProposal || snapshot.isAlone)) {
    const row = await alone(...toStatement(isProposal ? releaseAlone : release), { channels, here })
    if (row || !isProposal) return row !== undefined
  }
  const tell = (tx: Tx, row: Row) => {
    for (const channel of [...channels, ...here(row)]) tx.notify(channel)
  }
  try {
    await write(tx => endTogether(tx, { id, snapshot, stored, statement: toStatement(release), tell }))
    return true
  } catch (error) {
    if (error instanceof LeaseLost) return false
    throw error
  }
}

type Ending = { id: string; snapshot: RunSnapshot; stored: Statement[]; statement: Statement; tell(tx: Tx, row: Row): void }

/** Ends a lease with what else a proposal or an end concerns. @throws LeaseLost, which undoes what its holder told */
const endTogether = async (tx: Tx, { id, snapshot, stored, statement, tell }: Ending): Promise<void> => {
  const { state, told = [] } = snapshot
  const [isProposal, isOver] = [state === 'awaiting-confirmation', state === 'completed']
  // Sent before the write and answered with it.
  const locked = isProposal ? lockConversation(tx, id) : undefined
  const sent = Promise.all(told.map(it => sendRunEvent(tx, id, it)))
  const written = tx.sql(...statement)
  const read = Promise.all([isProposal ? readRivals(tx, id) : [], isOver ? readRunEvents(tx, id) : [], locked])
  const [[row], [rivals, found], isAdded] = await Promise.all([written, read, sent])
  if (!row) throw new LeaseLost()
  // They are known, or the run's events were packed.
  const left = told.filter((_, at) => !isAdded[at])
  for (const it of left) await appendRunEvent(tx, id, it)
  const events = isOver && left.length > 0 ? await readRunEvents(tx, id) : found
  await replaceProposals(tx, rivals)
  tell(tx, row)
  // A paused thread continues from its newest checkpoint. One that has reported a finished job does not continue.
  if (isOver && row.has_ended) tx.later(...joined([...packRunEvents(id, events), ...toRemoveThread(id)]))
  else if (isOver && stored.length > 0) tx.later(...joined([['select id from run where id = $1', [id]], ...stored]))
}

class LeaseLost extends Error {}

const toRelease = (
  condition: string,
) => `update run set state = $3, interrupt_id = $4, answer = $5, questions = $6, proposal = $7,
  job_id = coalesce($8, job_id), act = coalesce($9, act), choices = $10, next_tasks = coalesce($11, next_tasks),
  unplanned = coalesce($12, unplanned), held_until = null, updated_at = {NOW}
  where id = $1 and holds = $2 and held_until is not null ${condition}
  returning wake_at, parent,
    exists (select 1 from job where job.id = run.job_id and job.state in (${quoted(finalStates)})) as has_ended
  ${followedBy} ${readAs} and $9 <> '' and {ADDED}
  ${followedBy} ${sayOnce('$5')} and $5 <> '' and cast($3 as text) not in (${quoted(workingStates)}) and {ADDED}`
const release = toRelease('')
const releaseAlone = toRelease(`and not ${hasOthers}`)
const wakeParent = `update run set wake_at = coalesce(wake_at, {NOW})
  where id = (select of.parent from run of where of.id = $1) and {ADDED}`
// A run that has ended has no plan that waits for a yes.
const declineAtEnd = `${decline} and {ADDED}`

/** The values of `release`, from $3. */
const toColumns = (of: RunSnapshot) => {
  const texts = [of.questions, of.proposal, of.choices, of.nextTasks, of.unplanned].map(it => it && JSON.stringify(it))
  const [questions, proposed, choices, nextTasks, unplanned] = texts
  return [of.state, of.interruptId, of.answer, questions, proposed, of.jobId, of.act, choices, nextTasks, unplanned]
}

/** Ends the run leases of a process that has ended, and wakes the runs. */
export const freeRuns = ({ sql }: Tx) =>
  sql('update run set wake_at = coalesce(wake_at, {NOW}), held_until = null where held_until is not null')
