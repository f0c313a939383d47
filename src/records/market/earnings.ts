import { z } from 'zod'

export const earningsRecord = z.array(
  z.object({
    from: z.string(),
    amount: z.string().describe('Exact, decimal text: payments of jobs, and token fees in USDC'),
    currency: z.literal('USDC'),
    token_fees: z
      .object({ amount: z.string(), currency: z.string() })
      .nullable()
      .describe("Fees that the launchpad paid for the agent's token; null without a token. In USDC they are part of `amount`"),
  }),
)

export const agentEventsRecord = z.array(
  z.object({
    type: z.literal('payment_settled'),
    destination: z.string(),
    amount: z.number(),
    currency: z.literal('USDC'),
    ts: z.string(),
    tx_url: z.string(),
    job_id: z.string(),
  }),
)
export type EarningsRecord = z.infer<typeof earningsRecord>
export type AgentEventsRecord = z.infer<typeof agentEventsRecord>
export type EarnedRecord = EarningsRecord[number]
export type PayoutRecord = AgentEventsRecord[number]
