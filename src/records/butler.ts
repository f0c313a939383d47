import { z } from 'zod'

export const butlerRecord = z.object({
  agent_id: z.string(),
  handle: z.string(),
  display_name: z.string(),
  wallet_address: z.string().describe('The custodial wallet that pays'),
  owner_id: z.string(),
  chain_id: z.number(),
  stats: z.object({ total_jobs: z.number(), completed_jobs: z.number(), total_revenue: z.number(), total_spent: z.number() }),
  activated_at: z.string(),
})
export type ButlerRecord = z.infer<typeof butlerRecord>
