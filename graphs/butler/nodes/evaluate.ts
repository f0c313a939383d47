import { checkDeliverable } from '../../../src/domain/schema.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Judges the deliverable by code, against the schema that was fixed at the hire. */
export const evaluate =
  ({ readJob, tell }: ButlerDeps) =>
  async ({ runId, jobId }: ButlerState): Promise<Update> => {
    const job = jobId ? await readJob(jobId) : undefined
    if (!job) return { verdict: { pass: false, errors: ['The job is gone.'] } }
    const verdict = checkDeliverable(job.offering.deliverable, job.deliverable ?? '')
    await tell(runId, {
      kind: 'evaluated',
      summary: verdict.pass
        ? 'The deliverable passes its checks.'
        : `The deliverable breaks its schema: ${verdict.errors.join(' ')}`,
      data: { job_id: job.id, ...verdict },
      key: `evaluated:${job.attempt}`,
    })
    return { verdict, judged: job.attempt }
  }
