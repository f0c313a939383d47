import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Accepts the deliverable: the agent wallet submits its hash, and the evaluator releases the escrow. */
export const settle =
  ({ acceptDeliverable }: ButlerDeps) =>
  async ({ jobId }: ButlerState): Promise<Update> => {
    if (jobId) await acceptDeliverable(jobId)
    return {}
  }
