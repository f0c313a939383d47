import type { NamedFile } from '../../domain/files/namedFile.ts'
import { errorsOf, type Finding, judgeByCode, ruleOn, toChecklist, type Verdict } from '../../domain/jobs/acceptance.ts'
import { type Examined, examine } from '../../domain/jobs/deliverable.ts'
import { countUnits } from '../../domain/jobs/usedUnits.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { ifProblem, Problem } from '../../domain/problem.ts'
import { toRejectionReason, toRevisionReason, toVerdictText } from '../../domain/runTexts/verdicts.ts'
import type { Job, LanguageModel, Tables } from '../../ports.ts'
import { readDeliveredFiles } from '../files/jobFiles.ts'
import type { Deps } from '../operation.ts'
import { closeJob } from './closeJob.ts'
import { payWithin, readEscrowPosition } from './payJob.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'clock' | 'selling'>

type Judge = Pick<LanguageModel, 'judge'>
type Judging = {
  store: Pick<Tables, 'job' | 'addVerdict' | 'filesForJob'>
  files?: Deps['files'] | undefined
  examined?: Examined | undefined
  job?: Job | undefined
}

/**
 * Judges a deliverable by the checklist of its hire and stores the verdict. The model judges only the user's wishes, and only
 * after the checks by code pass. Without its answer they stay undecided.
 * @returns the first verdict on this deliverable; undefined when there is no such job
 */
export const judgeDeliverable = async (
  { store, files: vault, examined: before, job: known }: Judging,
  jobId: string,
  model?: Judge,
): Promise<Verdict | undefined> => {
  const job = known ?? (await store.job(jobId))
  if (!job || job.verdict?.attempt === job.attempt) return job?.verdict
  const sent = job.deliverable ?? ''
  const examined = before?.sent === sent ? before : examine(job.offering.deliverable, sent)
  // A file that is gone fails its check.
  const files = (await readDeliveredFiles({ store, files: vault }, job, examined.value).catch(ifProblem)) ?? []
  const byCode = judgeNow(job, examined, files)
  const pass = ruleOn(byCode) !== 'reject'
  const fitted = examined.text
  const criteria = pass && model ? await askModel(model, { ...job, deliverable: fitted }, byCode) : byCode
  const used = countUnits(job, examined)
  const named = { ...(used && { used }), ...(files.length > 0 && { files }) }
  return store.addVerdict(jobId, { attempt: job.attempt, pass, criteria, ...comparedWith(job.verdict, job), ...named }, fitted)
}

/**
 * Each delivery has its own lease, so the same text again is no repeated request. It means that the agent has no better result.
 */
const comparedWith = (before: Verdict | undefined, { deliverable = '' }: Job): Pick<Verdict, 'digest' | 'repeated'> => {
  const digest = sha256(deliverable)
  return { digest, ...(before && !before.pass && before.digest === digest && { repeated: true }) }
}

/** What the checks by code read of a job. */
export type Judged = Pick<Job, 'checklist' | 'offering' | 'deliverable'> & { terms: Pick<Job['terms'], 'input'> }

/** Judges the current deliverable by code, with the checklist of its hire. */
export const judgeNow = (
  { checklist, offering: { deliverable: schema }, deliverable = '', terms: { input } }: Judged,
  examined: Examined,
  files?: readonly NamedFile[],
): Finding[] =>
  judgeByCode(checklist.length > 0 ? checklist : toChecklist(schema), { schema, deliverable, input, examined, files })

const askModel = async (model: Judge, job: Job, byCode: Finding[]): Promise<Finding[]> => {
  const wishes = byCode.filter(it => it.kind === 'model')
  if (wishes.length === 0) return byCode
  const task = `${job.terms.offeringName}: ${job.terms.input}`
  const asked = { task, wishes: wishes.map(it => it.words), deliverable: job.deliverable ?? '' }
  const findings = await model.judge(asked).catch(leaveOpen)
  return byCode.map(it => {
    const finding = findings[wishes.indexOf(it)]
    return it.kind === 'model' && finding ? { ...it, ...finding } : it
  })
}

const leaveOpen = (error: unknown): [] => {
  if (error instanceof Problem && error.type === 'model-unavailable') return []
  throw error
}

/** Accepts the deliverable. It is paid now only if the contract holds the money; otherwise the payment follows once it does. */
export const acceptDeliverable = async (deps: Reach, jobId: string, known?: Job): Promise<void> => {
  const job = known ?? (await deps.store.job(jobId))
  if (job?.state !== 'submitted') return
  const position = await readEscrowPosition(deps, job)
  await deps.store.atomically(tables => payWithin(tables, position, { id: jobId, event: 'accept', from: job }))
}

/** The result of a verdict, as stored in the graph. */
type Ruling = { pass: boolean; errors: string[] }

/** Whether the last deliverable equals the one before, which did not pass either. */
const isRepeated = ({ verdict, attempt }: Job): boolean => verdict?.attempt === attempt && verdict.repeated === true

/**
 * Returns the job to its agent while time and attempts remain; otherwise, and for a repeated deliverable, the result is false.
 * A deliverable that only misses a wish is returned once.
 */
export const reviseDeliverable = async ({ store, clock }: Reach, jobId: string, verdict: Ruling): Promise<boolean> => {
  const job = await store.job(jobId)
  if (!job) return false
  if (job.state === 'queued' || job.state === 'leased') return true // done before this node was cut short
  if (isRepeated(job) || job.attempt >= (verdict.pass ? 2 : limits.attempts) || clock.now() >= job.deadlines.submitBy)
    return false
  return (await store.moveJob(jobId, 'revise', { reason: toRevisionReason(verdict.errors) })) !== undefined
}

/** Rejects the deliverable for good: the escrow is refunded to the user, or pays an earlier deliverable that passed. */
export const rejectDeliverable = async (deps: Reach, jobId: string, verdict: Ruling): Promise<void> => {
  const job = await deps.store.job(jobId)
  if (!job) return
  await closeJob(deps, { job, event: 'reject', reason: toRejectionReason(verdict.errors, isRepeated(job)) })
}

export const describeVerdict = (job: Pick<Job, 'id' | 'attempt'>, { pass, criteria }: Verdict, isLate = false) => ({
  kind: 'evaluated' as const,
  summary: toVerdictText(criteria, isLate),
  data: { job_id: job.id, pass, errors: errorsOf(criteria), criteria },
  key: `evaluated:${job.attempt}`,
})

/** Adds a verdict to its run's log, once per delivery. */
export const reportVerdict = async (
  { store, job: known }: { store: Pick<Tables, 'job' | 'addRunEvent'>; job?: Job | undefined },
  jobId: string,
  verdict: Verdict,
): Promise<void> => {
  const job = known ?? (await store.job(jobId))
  if (job) await store.addRunEvent(job.runId, describeVerdict(job, verdict))
}
