import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Gives the agent another try while promise and attempts last. */
export const revise =
  ({ readJob, reviseDeliverable }: ButlerDeps) =>
  async ({ jobId, verdict, judged }: ButlerState): Promise<Update> => {
    const job = jobId && (await readJob(jobId))
    if (!job || !verdict) return { revised: false }
    // Cut short after the job went back, this node may meet the next deliverable: nobody has judged that one yet.
    if (job.state === 'submitted' && job.attempt !== judged) return { revised: true }
    return { revised: await reviseDeliverable(job.id, verdict) }
  }
