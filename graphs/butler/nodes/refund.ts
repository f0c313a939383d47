import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Rejects the deliverable: the evaluator returns the escrow to the user, or releases it for one before that passed. */
export const refund =
  ({ rejectDeliverable }: ButlerDeps) =>
  async ({ jobId, verdict }: ButlerState): Promise<Update> => {
    if (jobId && verdict) await rejectDeliverable(jobId, verdict)
    return {}
  }
