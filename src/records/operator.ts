import { z } from 'zod'

export const coin = z.string().describe('Native coin, decimal text')

export const operatorRecord = z.object({
  alerts: z.array(z.object({ alert: z.string(), subject: z.string(), words: z.string(), remedy: z.string() })),
  chains: z.array(
    z.object({
      chain_id: z.number(),
      up: z.boolean(),
      block: z.number().optional(),
      blocks_behind: z.number().optional(),
      refused: z.string().optional(),
    }),
  ),
  wallets: z.array(
    z.object({
      chain_id: z.number(),
      role: z.string(),
      address: z.string(),
      coin,
      usdc: z.string(),
      coin_a_day: coin.optional().describe('The most that the transactions of the last seven days cost, per day'),
      days_left: z.number().optional(),
      is_filled: z.boolean(),
    }),
  ),
  backlog: z.array(z.object({ kind: z.string(), state: z.string(), count: z.number(), oldest_seconds: z.number() })),
  reports: z
    .array(z.object({ agent_id: z.string(), reason: z.string(), words: z.string(), at: z.string() }))
    .describe('The newest reports of agents by users'),
  leaders: z.array(z.object({ leads: z.string(), process: z.string() })),
})

export type OperatorRecord = z.infer<typeof operatorRecord>
