import type { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import type { Verdict } from '../../domain/jobs/acceptance.ts'
import { toRefundedBy } from '../../domain/jobs/deadlines.ts'
import { deliverableFor } from '../../domain/jobs/job.ts'
import { toCountingWords } from '../../domain/offerings/usagePrice.ts'
import { isHire, isPlan, type ProposedTerms } from '../../domain/x402/purchaseProposal.ts'
import type { Job, ListedJob, Run } from '../../ports.ts'
import type { jobDeadlines } from '../../records/job.ts'
import type { PlanRecord } from '../../records/plan.ts'
import type { RunRecord } from '../../records/run.ts'
import type { Deps } from '../operation.ts'
import { renamed } from '../renamed.ts'
import { readPlanRecord } from './planRecord.ts'

export const toDeadlines = ({ deadlines, leaseUntil }: Pick<Job, 'deadlines' | 'leaseUntil'>): z.infer<typeof jobDeadlines> => ({
  submit_by: toIso(deadlines.submitBy),
  evaluate_by: toIso(deadlines.evaluateBy),
  refunded_by: toIso(toRefundedBy(deadlines)),
  ...(leaseUntil !== undefined && { lease_until: toIso(leaseUntil) }),
})

/** The API representation of a run with its job and its plan, as they are now. */
export const readRunRecord = async (deps: Pick<Deps, 'store' | 'clock'>, run: Run): Promise<RunRecord> => {
  const [job, plan] = await Promise.all([run.jobId ? deps.store.job(run.jobId) : undefined, readPlanRecord(deps, run)])
  return toRunRecord(run, job, plan)
}

/** The API representation of a run. Questions, choices and the proposal are included only while the run waits for them. */
export const toRunRecord = (run: Run, job: ListedJob | undefined, plan?: PlanRecord): RunRecord => ({
  run_id: run.id,
  ...renamed(run, ['conversationId', 'chainId', 'task', 'state']),
  content: run.answer,
  ...(run.state === 'awaiting-input' && run.questions && { questions: run.questions }),
  ...(run.act && { act: run.act }),
  ...(run.state === 'awaiting-input' && !run.questions && run.choices && { choices: run.choices }),
  ...(run.nextTasks && run.nextTasks.length > 0 && { next_tasks: run.nextTasks }),
  ...(run.state === 'awaiting-confirmation' && run.proposal && toOpenPart(run.proposal)),
  ...(plan && { plan }),
  ...(run.unplanned && run.unplanned.length > 0 && { unplanned: run.unplanned }),
  ...(job && { job: toJobPart(job) }),
  ...(job?.verdict && { verdict: toVerdictPart(job.verdict) }),
  created_at: toIso(run.createdAt),
  ...(run.prunedAt !== undefined && { pruned_at: toIso(run.prunedAt) }),
})

const toVerdictPart = ({ pass, criteria, files }: Verdict) => ({ pass, criteria, ...(files && { files }) })

/** A plan is read from its own rows, because it stays when its yes was said. */
const toOpenPart = (terms: ProposedTerms) => {
  if (isPlan(terms)) return {}
  return isHire(terms) ? { proposal: terms } : { purchase: terms }
}

const toUsedPart = ({ terms: { usage }, verdict }: ListedJob) =>
  usage && verdict?.used ? { used: { ...verdict.used, unit: usage.unit, counting: toCountingWords(usage.unit) } } : {}

const toJobPart = (job: ListedJob) => ({
  job_id: job.id,
  ...renamed(job, ['state', 'agentId', 'reason']),
  offering_id: job.terms.offeringId,
  amount: job.terms.total,
  deliverable: deliverableFor(job) ?? '',
  deliverable_chars: deliverableFor(job)?.length ?? 0,
  ...toUsedPart(job),
  ...(job.mandateId && { mandate_id: job.mandateId }),
  deadlines: toDeadlines(job),
})
