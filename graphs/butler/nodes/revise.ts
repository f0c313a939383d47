import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Lets the agent try again while its deadline and its number of attempts allow it. */
export const revise =
  ({ readJob, reviseDeliverable }: ButlerDeps) =>
  async ({ jobId, verdict, judged }: ButlerState): Promise<Update> => {
    const job = jobId && (await readJob(jobId))
    if (!job || !verdict) return { revised: false }
    // If this node runs twice, the agent may already have delivered again. That deliverable has no verdict yet.
    if (job.state === 'submitted' && job.attempt !== judged) return { revised: true }
    return { revised: await reviseDeliverable(job.id, verdict) }
  }
