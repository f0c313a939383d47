import { isFinal, isJobState, type JobState } from '../jobs/job.ts'
import type { JsonObject } from '../json.ts'
import type { RunEvent } from './runEvent.ts'

/** Attributes of a span: ids, states, counts and hashes, never texts or amounts. */
export type SpanAttributes = Record<string, string | number | boolean>

/** A part of a hire with its begin and end, in epoch ms. */
export type Span = {
  runId: string
  /** Identifies the span in its run, so that a span recorded twice has one id; a random id without it. */
  key?: string
  /** The key of the span that it is a part of; without it the span is a part of the whole run. */
  parentKey?: string
  name: string
  startedAt: number
  endedAt: number
  attributes: SpanAttributes
  isFailed?: boolean
  /** A W3C traceparent of the caller that caused the span. */
  causedBy?: string
}

/** A node of the butler's graph that ran, with its begin and end in epoch ms. */
export type NodeTime = { runId: string; node: string; step: number; startedAt: number; endedAt: number; isFailed: boolean }

/** The key of the span of a whole run. */
export const wholeRun = 'run'

/** The span of each state of a job. A final state has none. */
const spanNames: Partial<Record<JobState, string>> = {
  open: 'escrow',
  escrowed: 'escrow',
  queued: 'queue',
  leased: 'delivery',
  submitted: 'evaluation',
  settling: 'settlement',
  rejected: 'refund',
  expired: 'refund',
}

type Ended = { id: string; state: string }

/** The spans of a run that has ended, from its events: the whole run, its job, each state of the job, and its transactions. */
export const toSpans = (run: Ended, events: readonly RunEvent[], now: number): Span[] => {
  const begun = events[0]
  if (!begun) return []
  const whole = { runId: run.id, key: wholeRun, name: 'hire', startedAt: begun.at, endedAt: now }
  const attributes = { 'market.run': run.id, 'market.state': run.state }
  return [{ ...whole, attributes, isFailed: run.state === 'failed' }, ...toJobSpans(run.id, events), ...toPoints(run.id, events)]
}

const toJobSpans = (runId: string, events: readonly RunEvent[]): Span[] => {
  const moves = events.flatMap(it => toMove(it) ?? [])
  const [first] = moves
  const last = moves.at(-1)
  if (!first || !last) return []
  const about = { 'market.run': runId, 'market.job': first.jobId }
  const isFailed = last.to !== 'settled'
  const job = { runId, key: 'job', name: 'job', startedAt: first.at, endedAt: last.at, isFailed }
  const states = moves.flatMap((it, index): Span[] => {
    const name = spanNames[it.to]
    const after = moves[index + 1]
    if (!name || !after || isFinal(it.to)) return []
    const attributes = { ...about, 'market.state': it.to, 'market.next_state': after.to, 'market.attempt': it.attempt }
    const place = { runId, key: `event:${it.seq}`, parentKey: job.key }
    return [{ ...place, name, startedAt: it.at, endedAt: after.at, attributes }]
  })
  return [{ ...job, attributes: { ...about, 'market.state': last.to } }, ...states]
}

const toMove = ({ kind, seq, at, data }: RunEvent) => {
  const { job_id: jobId, to, attempt } = data
  if (!kind.startsWith('job.') || typeof jobId !== 'string' || typeof to !== 'string' || !isJobState(to)) return undefined
  return { seq, at, to, jobId, attempt: Number(attempt ?? 0) }
}

/** A span without duration for each confirmed transaction. */
const toPoints = (runId: string, events: readonly RunEvent[]): Span[] =>
  events.flatMap(({ kind, seq, at, data }): Span[] =>
    kind === 'transaction' && data.seen !== true
      ? [{ runId, key: `event:${seq}`, parentKey: 'job', name: 'transaction', startedAt: at, endedAt: at, ...toMined(data) }]
      : [],
  )

const toMined = ({ hash, step, success }: JsonObject) => ({
  attributes: { 'market.transaction': String(hash), 'market.step': String(step), 'market.success': success === true },
  isFailed: success !== true,
})
