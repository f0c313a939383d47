import { interrupt } from '@langchain/langgraph'
import { z } from 'zod'
import { jobMissing } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

const reply = z.object({ final: z.literal(true) })

/** Pauses until the job or the purchase has ended, then reports where the money is. */
export const report =
  ({ readJob, describeEnd, describePurchase }: ButlerDeps) =>
  async ({ runId, jobId, isBought }: ButlerState): Promise<Update> => {
    if (isBought && jobId === undefined) {
      interrupt({ kind: 'payment' }, { responseSchema: reply })
      return { content: await describePurchase(runId) }
    }
    interrupt({ kind: 'end', jobId }, { responseSchema: reply })
    const job = jobId ? await readJob(jobId) : undefined
    return { content: job ? await describeEnd(job) : jobMissing }
  }
