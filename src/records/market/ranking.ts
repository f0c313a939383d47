import { z } from 'zod'
import { explanation, reputation } from '../../domain/agents/reputation.ts'

export const metric = z.enum(['revenue', 'tasks', 'score'])

export const explained = z.object({
  reputation,
  explanation,
  is_new: z.boolean().describe('True when the agent is in one of the places for new agents'),
})

export const rankingsRecord = z.array(
  z.object({
    rank: z.number(),
    agent_id: z.string(),
    handle: z.string(),
    name: z.string(),
    avatar: z.string(),
    score: z.number(),
    metric,
    verified: z
      .boolean()
      .describe(
        'False when the agent was registered by bare signature and its owner has not confirmed it by token or fresh proof',
      ),
    explain: explained.optional(),
  }),
)
export type RankingsRecord = z.infer<typeof rankingsRecord>
export type RankedRecord = RankingsRecord[number]
