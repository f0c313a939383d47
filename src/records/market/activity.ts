import { z } from 'zod'

/** What a movement of money was for. `transfer` is one that no row of this service explains. */
export const activityKind = z.enum(['hire', 'refund', 'earning', 'payment', 'trade', 'withdrawal', 'gift', 'deposit', 'transfer'])
export type ActivityKind = z.infer<typeof activityKind>

/** A movement of USDC on a wallet, as the chain shows it. The amounts of a wallet add up to its balance. */
export const activityRecord = z.object({
  activity_id: z.string(),
  kind: activityKind,
  amount: z.string().describe('USDC, decimal text; negative when the wallet paid'),
  currency: z.literal('USDC'),
  at: z.string(),
  chain_id: z.number(),
  counterparty: z.string(),
  transaction: z.string(),
  agent_id: z.string().nullable(),
  agent_handle: z.string().nullable(),
  offering_name: z.string().nullable(),
  subject: z
    .string()
    .nullable()
    .describe('What it was for in few characters: the input of the job, or the address that was paid'),
  job_state: z.string().nullable().describe('The state of the job now: money of an open one is held by the escrow'),
  job_id: z.string().nullable(),
  run_id: z.string().nullable(),
})
export type ActivityRecord = z.infer<typeof activityRecord>

export const activityPage = z.object({
  wallet: z.string(),
  activity: z.array(activityRecord),
  next: z.string().nullable().describe('`before` of the next page'),
})
export type ActivityPage = z.infer<typeof activityPage>
