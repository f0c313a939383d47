import { z } from 'zod'
import { feedbackRecord } from '../../records/market/feedback.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { operation } from '../operation.ts'

/** A file as `toFeedbackFile` writes it. */
const feedbackFile = z.object({
  createdAt: z.string(),
  value: z.number(),
  tag2: z.string(),
  proofOfPayment: z.object({ txHash: z.string() }),
})

/** An unknown agent has none, as with its payments. */
export const listFeedback = operation({
  name: 'listFeedback',
  summary: 'What came of the newest hires of an agent, each with its proof of payment. Hires by its own owner are left out.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200), limit: z.coerce.number().int().min(1).max(100).default(10) }),
  output: feedbackRecord,

  async run({ agent, limit }, deps) {
    const found = await resolveAgent(deps, agent)
    const files = found?.id ? await deps.store.feedbackOf(found.id, limit) : []
    return {
      feedback: files.map(({ jobId, file }) => {
        const { createdAt, value, tag2, proofOfPayment } = feedbackFile.parse(JSON.parse(file))
        return {
          job_id: jobId,
          outcome: tag2,
          value,
          at: createdAt,
          tx_hash: proofOfPayment.txHash,
          file: `/jobs/${jobId}/feedback.json`,
        }
      }),
    }
  },
})
