import { z } from 'zod'

export const time = z.string().describe('ISO 8601')

export const jobDeadlines = z.object({
  submit_by: time.describe('The promised time: the deliverable must be submitted by then'),
  evaluate_by: time,
  refunded_by: time.describe('Without a payment, the money is refunded by then, whatever agent and evaluator do'),
  lease_until: time.optional().describe("The agent's lease on the job ends then"),
})
