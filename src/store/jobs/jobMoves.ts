import { minuteMs } from '../../domain/durations.ts'
import { postpone } from '../../domain/jobs/deadlines.ts'
import { decideMove } from '../../domain/jobs/decideMove.ts'
import { isDelivered, isFinal, isUndoing, type JobEvent, type JobState, next } from '../../domain/jobs/job.ts'
import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { ifReadable } from '../../domain/problem.ts'
import { toMoveText, toPushText } from '../../domain/runTexts/moves.ts'
import type { Job, JobPatch } from '../../ports.ts'
import { requestLearning, requestRating } from '../effects/outbox.ts'
import { dropSuspended } from '../effects/retractions.ts'
import type { Row, Tx } from '../engine/db.ts'
import { appendRunEvent, sendRunEvent } from '../runs/runEvents.ts'
import { wakeRun } from '../runs/runInputs.ts'
import { isHire, jobColumns, toJob } from './jobRows.ts'

export type Move = { id: string; event: JobEvent; patch: JobPatch | undefined }

/**
 * Moves a job if the table of moves allows it. Every move to another state ends the current lease.
 * @returns the job after the move; undefined when its state does not allow the move
 */
export const moveJob = async (tx: Tx, move: Move): Promise<Job | undefined> => {
  const { id, event, patch: { from } = {} } = move
  // What a revision keeps depends on the verdict, which the write does not compare.
  const moved = from && event !== 'revise' && (await moveFrom(tx, from, move))
  if (moved) return moved
  // The caller knew nothing of the job, or it was moved since: the locked row decides.
  const found = await tx.sql(`select ${jobColumns}, {NOW} as now from job where id = $1 {LOCK}`, [id])
  const before = toJob(found)
  return before && moveFrom(tx, before, { ...move, now: Number(found[0]?.now) })
}

// The write decides: all facts of the decision are compared, and the time of the last move.
const write = `update job set state = $3,
  chain_job_id = case when cast($21 as {BIGINT}) = 1 then null else coalesce($4, chain_job_id) end,
  push_after = case when $3 = 'submitted' then null else push_after end,
  pushes = case when $3 = 'submitted' then 0 else pushes end,
  deliverable = coalesce($5, deliverable), units = coalesce($14, units), returned = coalesce($15, returned),
  fee = coalesce($16, fee), reason = coalesce($6, reason), verdict = coalesce($8, verdict),
  kept = coalesce($9, kept),
  submitted_at = case when $3 = 'submitted' and $2 <> 'submitted' then {NOW} else submitted_at end,
  outcome_at = case when outcome is null and cast($7 as text) is not null then {NOW} else outcome_at end,
  outcome = coalesce(outcome, cast($7 as text)),
  requeues = requeues + $10, pickup_by = $11, submit_by = $12, evaluate_by = $13,
  lease_until = case when $3 = 'leased' then lease_until end, updated_at = {NOW}
  where id = $1 and state = $2 and attempt = $17 and requeues = $18 and updated_at = $19
  and chain_job_id is not distinct from cast($22 as text)
  and (deliverable is null) = (cast($23 as {BIGINT}) = 1) and (kept is null) = (cast($24 as {BIGINT}) = 1)
  and {NOW} <= coalesce(cast($20 as {BIGINT}), {NOW})
  returning ${jobColumns}`

/** `now`: by the clock of the database. Without it, a job is not moved whose promised time would start later than agreed. */
type MoveAt = Move & { now?: number }

/** Moves a job from the state in which it was read; undefined when the move is not allowed, or the job was moved since. */
const moveFrom = async (tx: Tx, before: Job, { id, event, patch = {}, now }: MoveAt): Promise<Job | undefined> => {
  const decision = decideMove(before, event)
  if (!decision) return undefined
  const { to, outcome, kept } = decision
  const { chainJobId, reason, isReread } = patch
  const { deliverable = patch.deliverable, verdict } = decision.restored ?? {}
  const starts = startsPromise(before, { event, patch })
  const { slaMinutes } = before.terms
  const { deadlines } = before
  const { pickupBy, submitBy, evaluateBy } = starts && now !== undefined ? postpone(deadlines, slaMinutes, now) : deadlines
  const startsBy = starts && now === undefined ? submitBy - slaMinutes * minuteMs : undefined
  const rows = await tx.sql(`${write}, ${ofRun}`, [
    id,
    before.state,
    to,
    chainJobId,
    deliverable,
    reason,
    outcome,
    verdict && JSON.stringify(verdict),
    kept && JSON.stringify(kept),
    event === 'requeue' ? 1 : 0,
    ...[pickupBy, submitBy, evaluateBy, patch.units, patch.returned, patch.fee],
    ...[before.attempt, before.requeues, before.updatedAt, startsBy, event === 'unfund'],
    ...[before.chainJobId, before.deliverable === undefined, before.kept === undefined],
  ])
  if (rows.length === 0) return undefined
  if (to === 'settled') requestLearning(tx, id)
  // Feedback is given after the end of a job.
  if (to === 'settled' || to === 'refunded') tx.notify('feedback')
  countPaid(tx, { ...before, fee: patch.fee ?? before.fee }, to)
  if (outcome !== undefined || to === 'cancelled' || isUndoing(event)) requestRating(tx, before.agentId)
  if (isReread) return toJob(rows)
  // Even an open job may have been funded before a reorganisation. The effects suspended then are dropped, so that later nonces
  // are not blocked.
  if (event === 'cancel') await dropSuspended(tx, id)
  return recordMove(tx, { from: before.state, event, after: toJob(rows), run: rows[0] })
}

/** What a move needs of the job's run. Packed events are turned into rows for another one, and otherwise nothing waits for it. */
const ofRun = `(select count(*) from run where run.id = job.run_id and run.events is not null) as is_packed,
  (select run.parent from run where run.id = job.run_id) as parent`

/** The promised time of a job starts when its escrow is confirmed for the first time. An open job has no agent at work. */
const startsPromise = ({ state }: Job, { event, patch }: Omit<Move, 'id'>): boolean =>
  event === 'fund' && state === 'open' && patch?.chainJobId !== undefined && !patch.isReread

const paidJobs = 'update agent set paid_jobs = paid_jobs + $2, earned = earned + $4 where id = $1 and owner <> $3'

/** Updates an agent's number of settled jobs and its earnings, by which lists are sorted. */
const countPaid = ({ later }: Tx, { agentId, user, state, budget, fee }: Job, to: JobState) => {
  const change = Number(to === 'settled') - Number(state === 'settled')
  if (change !== 0) later(paidJobs, [agentId, change, user, change * Number(budget - fee)])
}

// A job whose funding was reverted is not leased until it is funded again.
const funded = `(chain_job_id is not null or not ${isHire})`
const ofAgent = `select id from job where agent_id = $1 and id = coalesce($2, id) and ${funded}`
// One that a rival is taking now does not hold up the others.
const lost = `${ofAgent} and adrift = 1 and state = 'leased' and lease_until > {NOW} order by seq limit 1 {SKIP}`
const again = `update job set adrift = 0, leased_by = {HOLDER} where id = (${lost})
  returning ${jobColumns}`

const lease = `update job set state = $3, attempt = attempt + 1, deliverable = null, units = null, leased_at = {NOW},
  adrift = 0, leased_by = {HOLDER},
  updated_at = {NOW},
  lease_until = case when {NOW} + lease_ms < submit_by then {NOW} + lease_ms else submit_by end
  where id = (${ofAgent} and state = 'queued' and attempt < $4 and submit_by > {NOW} order by seq limit 1 {SKIP})
  and not exists (${lost})
  returning ${jobColumns}, ${ofRun}, (select count(*) from job other where other.agent_id = $1 and other.id <> job.id
      and (other.state = 'queued' or other.state = 'leased' and other.adrift = 1))
    + (select count(*) from test_job where test_job.agent_id = $1 and deliveries < due and test_job.submit_by > {NOW}) as more`

/**
 * Leases the next queued job of an agent until its lease time or its submission deadline ends, whichever comes first. The
 * attempt is counted before the work and never decreases, so it serves as the fencing token of the lease. A new attempt starts
 * without the earlier deliverable.
 *
 * A delivery that may not have reached the agent comes first, under its existing lease. The agent's channel is notified when it
 * has more work.
 * @param jobId restricts the lease to this job, whose agent is called at its own endpoint
 */
export const leaseJob = async (tx: Tx, agentId: string, jobId?: string): Promise<Job | undefined> => {
  const leased = await tx.sql(lease, [agentId, jobId, next('queued', 'lease'), limits.attempts])
  const [due] = leased
  if (!due) {
    const found = await tx.sql(again, [agentId, jobId])
    if (found.length > 0) tx.notify(`jobs:${agentId}`)
    return toReadable(tx, found, { agentId, jobId })
  }
  if (Number(due.more) > 0) tx.notify(`jobs:${agentId}`)
  const after = await toReadable(tx, leased, { agentId, jobId })
  if (after?.id !== due.id) return after
  const summary = after && jobId ? toPushText(after) : undefined
  return recordMove(tx, { from: 'queued', event: 'lease', after, summary, run: due })
}

/** A job that this release cannot read stays leased to nobody, and the agent gets its next one. */
type Leasing = { agentId: string; jobId: string | undefined }

const toReadable = async (tx: Tx, leased: Row[], { agentId, jobId }: Leasing): Promise<Job | undefined> => {
  if (leased.length === 0) return undefined
  const job = await ifReadable(async () => toJob(leased))
  return job ?? (jobId === undefined ? leaseJob(tx, agentId) : undefined)
}

type Moved = { from: JobState; event: JobEvent; after: Job | undefined; summary?: string | undefined; run: Row | undefined }

const recordMove = async (tx: Tx, { from, event, after, summary, run }: Moved): Promise<Job | undefined> => {
  if (!after) return undefined
  const told: Parameters<typeof sendRunEvent>[2] = {
    kind: isUndoing(event) ? 'job.retracted' : from === after.state ? 'job.restored' : `job.${after.state}`,
    summary: summary ?? toMoveText(event, after),
    data: describeMove({ from, event, after }),
  }
  const wakes = concernsRun(from, after)
  // The end of a job lets its run pack its events, perhaps at this moment.
  if (!run?.is_packed && !isFinal(from)) void sendRunEvent(tx, after.runId, { ...told, wakes })
  else {
    await appendRunEvent(tx, after.runId, told)
    if (wakes) wakeRun(tx, after.runId)
  }
  // A plan goes on with an accepted deliverable before it is paid.
  if (isDelivered(after.state) && run?.parent) wakeRun(tx, String(run.parent))
  if (after.state === 'queued') for (const channel of [`jobs:${after.agentId}`, 'pushes']) tx.notify(channel)
  return after
}

/** Whether the run can go on after a move: the deliverable has come or never will, or the job has ended. */
const concernsRun = (from: JobState, { state }: Job) => isFinal(state) || (isDelivered(state) && !isDelivered(from))

const describeMove = ({ from, event, after }: { from: JobState; event: JobEvent; after: Job }): JsonObject => ({
  job_id: after.id,
  from,
  event,
  to: after.state,
  attempt: after.attempt,
  ...(after.reason && { reason: after.reason }),
})
