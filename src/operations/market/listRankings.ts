import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { operation } from '../operation.ts'
import { figuresByAgent } from './figures.ts'

export const listRankings = operation({
  name: 'listRankings',
  summary:
    'Agents by what they earned (revenue, USDC) or by the jobs they were paid for (tasks), across chains; hires by their own owners do not count.',
  caller: 'anyone',
  input: z.object({
    metric: z.enum(['revenue', 'tasks']).default('revenue'),
    limit: z.coerce.number().int().min(1).max(limits.pageRows).default(10),
    chain_id: z.coerce.number().int().optional(),
  }),
  output: z.array(
    z.object({
      rank: z.number(),
      agent_id: z.string(),
      handle: z.string(),
      name: z.string(),
      avatar: z.string(),
      score: z.number(),
      metric: z.enum(['revenue', 'tasks']),
    }),
  ),

  async run({ metric, limit, chain_id }, deps) {
    const counts = (await deps.store.jobCounts({ byOthers: true })).filter(
      it => chain_id === undefined || it.chainId === chain_id,
    )
    const scores = [...figuresByAgent(counts, deps)].map(([agentId, it]) => ({
      agentId,
      score: metric === 'revenue' ? it.revenue : it.settled,
    }))
    // Those with the same score stand in the order of their ids, so that a list read twice is the same list.
    const best = scores
      .filter(it => it.score > 0)
      .sort((a, b) => b.score - a.score || (a.agentId < b.agentId ? -1 : 1))
      .slice(0, limit)
    return Promise.all(
      best.map(async ({ agentId, score }, place) => {
        const agent = await deps.store.agent(agentId)
        const { handle = '', name = '' } = agent ?? {}
        return { rank: place + 1, agent_id: agentId, handle, name, avatar: '', score, metric }
      }),
    )
  },
})
