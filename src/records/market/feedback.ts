import { z } from 'zod'

export const feedbackRecord = z.object({
  feedback: z.array(
    z.object({
      job_id: z.string(),
      outcome: z.string().describe('What came of the job, such as accepted'),
      value: z.number().describe('0 to 100, as the registry has it'),
      at: z.string(),
      tx_hash: z.string().describe('The transaction that proves the payment'),
      file: z.string().describe('Path of the feedback file, of which the registry has the hash'),
    }),
  ),
})
export type FeedbackRecord = z.infer<typeof feedbackRecord>
