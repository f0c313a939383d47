import { z } from 'zod'
import { toIso } from '../domain/durations.ts'
import { isObject, type Json } from '../domain/json.ts'
import { type Proposal, proposal } from '../domain/runs/proposal.ts'
import { purchaseProposal } from '../domain/runs/purchaseTerms.ts'
import { type RunRecord, runEventRecord, runRecord } from '../records/run.ts'
import { partOf, type ToolView } from './fit.ts'

const time = z.string().describe('ISO 8601')

/** A proposal for a model: without the checklist, which `judgedBy` repeats, and with times in ISO 8601. */
const proposalView = proposal.omit({ checklist: true, tag: true }).extend({
  timeline: z.object({ deliveredBy: time, refundedBy: time }),
  lapsesAt: time,
})

const purchaseView = purchaseProposal.extend({ lapsesAt: time })

const jobView = runRecord.shape.job.unwrap().extend({
  deliverable_chars: z.number().describe('Length of the whole deliverable'),
  deliverable_from: z.number().describe('Where the part in `deliverable` begins'),
})

/** The run of every tool that returns one. It leaves out what a model does not need. */
export const runView = runRecord.omit({ act: true, created_at: true, pruned_at: true }).extend({
  approve_url: z.string().optional().describe('The page where only the user can answer the proposal'),
  proposal: proposalView.optional(),
  purchase: purchaseView.optional(),
  job: jobView.optional(),
})

const toProposalView = ({ checklist: _checklist, tag: _tag, timeline, lapsesAt, ...it }: Proposal) => ({
  ...it,
  timeline: { deliveredBy: toIso(timeline.deliveredBy), refundedBy: toIso(timeline.refundedBy) },
  lapsesAt: toIso(lapsesAt),
})

/** The view of a run with the beginning of its deliverable. */
export const showRun = (run: RunRecord, of: { chars: number; link?: string | undefined }): ToolView =>
  showRunPart(run, { from: 0, ...of })

type Shown = { from: number; chars: number; link?: string | undefined }

/** The view of a run with the part of its deliverable that begins at character `from`. */
export const showRunPart = (run: RunRecord, { from, chars, link }: Shown): ToolView => {
  const { proposal: proposed, purchase, job, content, act: _act, created_at: _at, pruned_at: _pruned, ...rest } = run
  const part = partOf(job?.deliverable ?? '', from, chars)
  const view = {
    ...rest,
    content: job ? withoutDeliverable(content, job.deliverable) : content,
    ...(proposed && { proposal: toProposalView(proposed) }),
    ...(purchase && { purchase: { ...purchase, lapsesAt: toIso(purchase.lapsesAt) } }),
    ...(link !== undefined && { approve_url: link }),
    ...(job && { job: { ...job, deliverable: part, deliverable_chars: job.deliverable.length, deliverable_from: from } }),
  }
  const end = from + part.length
  const readOn =
    job && end < job.deliverable.length
      ? `The deliverable continues: call get_run with run_id "${run.run_id}" and deliverable_from ${end}.`
      : undefined
  return { view, nextStep: [nextStepOf(run, link), readOn].filter(it => it !== undefined).join(' ') }
}

/** Replaces the deliverable inside `content` by a reference, because `job.deliverable` already contains it. */
const withoutDeliverable = (content: string, deliverable: string): string =>
  deliverable.length > 40 ? content.replaceAll(deliverable, () => '[see job.deliverable]') : content

const nextStepOf = (
  { run_id, conversation_id, state, proposal, purchase, plan, job }: RunRecord,
  link: string | undefined,
): string => {
  const again = `call get_run with run_id "${run_id}"`
  switch (state) {
    case 'awaiting-confirmation':
      return toYesStep(run_id, { digest: (proposal ?? purchase ?? plan)?.digest ?? '', link })
    case 'awaiting-input':
      return (
        'Ask your user what is asked, then call propose_hire with conversation_id ' +
        `${JSON.stringify(conversation_id)} and the answer as task.`
      )
    case 'working':
    case 'awaiting-job':
      return `Nothing to do for your user yet: ${again} in a few seconds.`
    case 'completed':
      return job?.deliverable ? 'Give the deliverable to your user.' : 'Tell your user what `content` says.'
    case 'failed':
      return 'Tell your user what `content` says; propose_hire starts again.'
  }
}

/** How a model gets the yes of its user: by a question in the client, or on the page. */
const toYesStep = (runId: string, { digest, link }: { digest: string; link: string | undefined }): string => {
  const shown = 'Show this proposal to your user: who, what for, the price, the deadline'
  const called = `call confirm_hire with run_id "${runId}", digest "${digest}" and decision`
  return link === undefined
    ? `${shown}. Only after the user answered, ${called} "yes" or "no". A yes is asked for in the client.`
    : `${shown}, and this address, where only your user can say yes: ${link} Then ${called} "yes": it waits for the answer. ` +
        'If the user says no, use "no".'
}

export const eventView = runEventRecord.pick({ seq: true, type: true, timestamp: true }).extend({
  text: z.string(),
  facts: z.record(z.string(), z.string()).optional().describe('Facts that are in no text or earlier event'),
})

type EventRecord = z.infer<typeof runEventRecord>

/** The view of list_run_events. A fact that an earlier event contains is not repeated. */
export const showEvents = (events: EventRecord[], { args }: { args: { run_id: string } }): ToolView => {
  const told = new Set<string>()
  return {
    view: { run_id: args.run_id, events: events.map(it => toEventView(it, told)) },
    rows: 'events',
    more: shown =>
      shown < events.length
        ? `There are more events: call list_run_events with run_id "${args.run_id}" and after ${events[shown - 1]?.seq ?? 0}.`
        : undefined,
  }
}

/** @param told the facts of earlier events, as `name value`; the facts of this event are added */
const toEventView = ({ seq, type, timestamp, summary_text: text, data }: EventRecord, told: Set<string>) => {
  const facts = Object.entries(data).flatMap(([name, value]) => toFact(name, value, text))
  const fresh = facts.filter(([name, fact]) => !told.has(`${name} ${fact}`))
  for (const [name, fact] of fresh) told.add(`${name} ${fact}`)
  return { seq, type, timestamp, text, ...(fresh.length > 0 && { facts: Object.fromEntries(fresh) }) }
}

/** Members that the event type already implies. */
const saidByType = new Set(['from', 'event', 'to', 'role'])

/** Returns a scalar member as a fact, unless the text contains it. Objects are left out: get_run returns them. */
const toFact = (name: string, value: Json, text: string): [string, string][] => {
  if (value === null || value === '' || isObject(value) || Array.isArray(value) || saidByType.has(name)) return []
  const fact = typeof value === 'number' && value >= firstTime ? toIso(value) : String(value)
  return fact.length > longestFact || text.includes(fact) ? [] : [[name, fact]]
}

/** Numbers of at least this value are times in epoch ms (from 2001). No amount or count in an event is that large. */
const firstTime = 1e12
const longestFact = 120
