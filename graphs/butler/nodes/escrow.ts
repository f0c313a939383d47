import { nothingProposed } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Opens the job and its escrow for the proposal that the user accepted. */
export const escrow =
  ({ openJob, unpaid }: ButlerDeps) =>
  async ({ runId, proposal, step }: ButlerState): Promise<Update> => {
    if (!proposal) return { jobId: undefined, content: nothingProposed }
    const opened = await openJob(runId, proposal)
    if (!('refusal' in opened)) return { jobId: opened.id }
    // The plan decides what follows, and says so.
    if (step !== undefined) return { jobId: undefined, content: opened.words }
    if (opened.refusal === 'not-covered') return { jobId: undefined, asked: true, notice: opened.words }
    return opened.refusal === 'offering-changed'
      ? { jobId: undefined, notice: opened.words }
      : { jobId: undefined, content: [opened.words, await unpaid(runId)].filter(Boolean).join(' ') }
  }
