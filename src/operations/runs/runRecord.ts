import { z } from 'zod'
import { finding } from '../../domain/acceptance.ts'
import { turnAct } from '../../domain/acts.ts'
import { choice } from '../../domain/choice.ts'
import { toRefundedBy } from '../../domain/deadlines.ts'
import { nextTask } from '../../domain/nextTask.ts'
import { proposal } from '../../domain/proposal.ts'
import { question } from '../../domain/question.ts'
import type { Job, ListedJob, Run } from '../../ports.ts'

const time = z.string().describe('ISO 8601')

/** Deadlines of a job, for its user and its agent. */
export const jobDeadlines = z.object({
  submit_by: time.describe('The promise: a deliverable must be in'),
  evaluate_by: time,
  refunded_by: time.describe('The money is back at the latest, whatever agent and evaluator do'),
  lease_until: time.optional().describe('Until then the delivery is held by the agent'),
})

export const toDeadlines = ({ deadlines, leaseUntil }: Pick<Job, 'deadlines' | 'leaseUntil'>): z.infer<typeof jobDeadlines> => ({
  submit_by: toTime(deadlines.submitBy),
  evaluate_by: toTime(deadlines.evaluateBy),
  refunded_by: toTime(toRefundedBy(deadlines)),
  ...(leaseUntil !== undefined && { lease_until: toTime(leaseUntil) }),
})

const toTime = (at: number) => new Date(at).toISOString()

/** A run as its user reads it. */
export const runRecord = z.object({
  run_id: z.string(),
  conversation_id: z.string(),
  chain_id: z.number(),
  task: z.string(),
  state: z.enum(['working', 'awaiting-input', 'awaiting-confirmation', 'awaiting-job', 'completed', 'failed']),
  content: z.string().describe('What to tell the user now: a question, a proposal, a result'),
  questions: z.array(question).optional().describe('Present while it waits for an answer: what is asked, one field each'),
  act: turnAct.optional().describe('What the newest message of the user was taken as; none where nothing fits'),
  choices: z.array(choice).optional().describe('Present while it waits for the user to pick one of these'),
  next_tasks: z
    .array(nextTask)
    .optional()
    .describe('What was said besides: proposed one after the other, each when the one before has ended'),
  proposal: proposal.optional().describe('Present while it waits for a yes or no; confirm with its digest'),
  job: z
    .object({
      job_id: z.string(),
      state: z.string(),
      agent_id: z.string(),
      amount: z.string(),
      deliverable: z.string(),
      deliverable_chars: z.number().describe('Its length, also where it is left out'),
      reason: z.string(),
      mandate_id: z.string().optional().describe('The mandate it was hired under, when its user was not asked'),
      deadlines: jobDeadlines,
    })
    .optional(),
  verdict: z
    .object({ pass: z.boolean(), criteria: z.array(finding) })
    .optional()
    .describe('What was found of the last delivery'),
  created_at: z.string(),
})
export type RunRecord = z.infer<typeof runRecord>

export const toRunRecord = (run: Run, job: ListedJob | undefined): RunRecord => ({
  run_id: run.id,
  conversation_id: run.conversationId,
  chain_id: run.chainId,
  task: run.task,
  state: run.state,
  content: run.answer,
  ...(run.state === 'awaiting-input' && run.questions && { questions: run.questions }),
  ...(run.act && { act: run.act }),
  ...(run.state === 'awaiting-input' && !run.questions && run.choices && { choices: run.choices }),
  ...(run.nextTasks && run.nextTasks.length > 0 && { next_tasks: run.nextTasks }),
  ...(run.state === 'awaiting-confirmation' && run.proposal && { proposal: run.proposal }),
  ...(job && { job: toJobPart(job) }),
  ...(job?.verdict && { verdict: { pass: job.verdict.pass, criteria: job.verdict.criteria } }),
  created_at: toTime(run.createdAt),
})

const toJobPart = (job: ListedJob) => ({
  job_id: job.id,
  state: job.state,
  agent_id: job.agentId,
  amount: job.terms.total,
  deliverable: job.deliverable ?? '',
  deliverable_chars: job.deliverable?.length ?? 0,
  reason: job.reason,
  ...(job.mandateId && { mandate_id: job.mandateId }),
  deadlines: toDeadlines(job),
})
