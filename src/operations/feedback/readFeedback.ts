import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
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

/** Public, because the registry names this URL. The file contains no more than the chain. */
export const readFeedback = operation({
  name: 'readFeedback',
  summary: 'The feedback file of an entry in the ERC-8004 reputation registry, with its proof of payment.',
  caller: 'anyone',
  input: z.object({ job_id: z.string().max(100) }),
  output: jsonObject,

  async run({ job_id }, { store }) {
    const file = await store.feedback(job_id)
    if (!file) throw new Problem('job-not-found')
    return jsonObject.parse(JSON.parse(file))
  },
})
