import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Rejects the deliverable. The evaluator returns the escrow to the user, or releases it if an earlier deliverable passed. */
export const refund =
  ({ rejectDeliverable }: ButlerDeps) =>
  async ({ jobId, verdict }: ButlerState): Promise<Update> => {
    if (jobId && verdict) await rejectDeliverable(jobId, verdict)
    return {}
  }
