import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Gives the agent another try while promise and attempts last. */
export const revise =
  ({ reviseDeliverable }: ButlerDeps) =>
  async ({ jobId, verdict }: ButlerState): Promise<Update> => ({
    revised: jobId !== undefined && verdict !== undefined && (await reviseDeliverable(jobId, verdict)),
  })
