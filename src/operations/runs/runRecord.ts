import { z } from 'zod'
import { finding } from '../../domain/acceptance.ts'
import { turnAct } from '../../domain/acts.ts'
import { choice } from '../../domain/choice.ts'
import { toRefundedBy } from '../../domain/deadlines.ts'
import { deliverableFor } from '../../domain/job.ts'
import { nextTask } from '../../domain/nextTask.ts'
import { proposal } from '../../domain/proposal.ts'
import { isHire, type OpenTerms, purchaseProposal } from '../../domain/purchaseProposal.ts'
import { question } from '../../domain/question.ts'
import type { Job, ListedJob, Run } from '../../ports.ts'

const time = z.string().describe('ISO 8601')

/** Deadlines of a job, for its user and its agent. */
export const jobDeadlines = z.object({
  submit_by: time.describe('The promised time: the deliverable must be submitted by then'),
  evaluate_by: time,
  refunded_by: time.describe('Without a payment, the money is refunded by then, whatever agent and evaluator do'),
  lease_until: time.optional().describe("The agent's lease on the job ends then"),
})

/** The deadlines of a job as ISO 8601 times. */
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
  content: z.string().describe('Text for the user: a question, a proposal or a result'),
  questions: z
    .array(question)
    .optional()
    .describe('The open questions, one per missing field; present while the run waits for an answer'),
  act: turnAct.optional().describe('The recognised intent of the newest user message; none when it was not recognised'),
  choices: z.array(choice).optional().describe('Offerings to choose from; present while the run waits for the choice'),
  next_tasks: z
    .array(nextTask)
    .optional()
    .describe('Further tasks of the message; each is proposed when the one before has ended'),
  proposal: proposal.optional().describe('Present while the run waits for a yes or no; confirm with its digest'),
  purchase: purchaseProposal
    .optional()
    .describe('Present while the run waits for a yes or no to a payment by x402; confirm with its digest'),
  job: z
    .object({
      job_id: z.string(),
      state: z.string(),
      agent_id: z.string(),
      amount: z.string(),
      deliverable: z.string(),
      deliverable_chars: z.number().describe('Its length, also where it is left out'),
      reason: z.string(),
      mandate_id: z.string().optional().describe('The mandate that allowed the hire, when the user was not asked'),
      deadlines: jobDeadlines,
    })
    .optional(),
  verdict: z
    .object({ pass: z.boolean(), criteria: z.array(finding) })
    .optional()
    .describe('The checks of the last deliverable'),
  created_at: z.string(),
  pruned_at: time.optional().describe('The events, messages and deliverable of the run were removed then'),
})
export type RunRecord = z.infer<typeof runRecord>

/** The API representation of a run. Questions, choices and the proposal are included only while the run waits for them. */
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
  ...(run.state === 'awaiting-confirmation' && run.proposal && toOpenPart(run.proposal)),
  ...(job && { job: toJobPart(job) }),
  ...(job?.verdict && { verdict: { pass: job.verdict.pass, criteria: job.verdict.criteria } }),
  created_at: toTime(run.createdAt),
  ...(run.prunedAt !== undefined && { pruned_at: toTime(run.prunedAt) }),
})

const toOpenPart = (terms: OpenTerms) => (isHire(terms) ? { proposal: terms } : { purchase: terms })

const toJobPart = (job: ListedJob) => ({
  job_id: job.id,
  state: job.state,
  agent_id: job.agentId,
  amount: job.terms.total,
  deliverable: deliverableFor(job) ?? '',
  deliverable_chars: deliverableFor(job)?.length ?? 0,
  reason: job.reason,
  ...(job.mandateId && { mandate_id: job.mandateId }),
  deadlines: toDeadlines(job),
})
