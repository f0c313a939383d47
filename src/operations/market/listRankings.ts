import { z } from 'zod'
import type { AgentId } from '../../domain/agents/agentId.ts'
import { mixIn, newAgentJudgements, toDay } from '../../domain/agents/reputation.ts'
import { chainNames } from '../../domain/chains/chains.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { toRoughUsdc } from '../../domain/money/money.ts'
import { metric, rankingsRecord } from '../../records/market/ranking.ts'
import { type Rated, rateAll } from '../agents/reputations.ts'
import { type Deps, operation } from '../operation.ts'

const input = z.object({
  metric: metric.default('revenue'),
  limit: z.coerce.number().int().min(1).max(limits.pageRows).default(10),
  chain_id: z.coerce.number().int().optional(),
  explain: z
    .enum(['true', 'false'])
    .default('false')
    .describe('With metric=score: the inputs of each score and the version of the formula'),
})
type Asked = z.output<typeof input>

type Place = { agentId: AgentId; score: number; rated?: Rated; isNew?: boolean }

export const listRankings = operation({
  name: 'listRankings',
  summary:
    'Agents ranked by earnings (revenue, USDC), paid jobs (tasks), or reputation by the published formula (score; ' +
    'every fifth place is for a new agent). Hires by their own owners do not count. ' +
    'Revenue and tasks rank by their number alone; in the order by score, agents that nobody verified come last.',
  caller: 'anyone',
  input,
  output: rankingsRecord,

  async run(asked, deps) {
    const places = asked.metric === 'score' ? await byScore(deps, asked) : await byFigures(deps, asked)
    const unverified = new Set(await deps.store.unverifiedIds())
    const isBacked = ({ agentId }: Place) => !unverified.has(agentId)
    // Unverified agents come last in the ranking by score. Other metrics count facts, so they rank normally there.
    const inOrder = asked.metric === 'score' ? [...places.filter(isBacked), ...places.filter(it => !isBacked(it))] : places
    const shown = inOrder.slice(0, asked.limit)
    const names = await deps.store.agentNames(shown.map(it => it.agentId))
    return shown.map(({ agentId, score, rated, isNew = false }, place) => {
      const { handle = '', name = '' } = names.get(agentId) ?? {}
      const { metric, explain } = asked
      return {
        rank: place + 1,
        agent_id: agentId,
        handle,
        name,
        avatar: '',
        score,
        metric,
        verified: !unverified.has(agentId),
        ...(explain === 'true' && rated && { explain: { ...rated, is_new: isNew } }),
      }
    })
  },
})

/** Equal scores are ordered by id, so that the list is stable. */
const byFigures = async (deps: Deps, { metric, chain_id, limit }: Asked): Promise<Place[]> => {
  const by = metric === 'revenue' ? metric : 'tasks'
  const chainIds = chain_id === undefined ? Object.keys(chainNames).map(Number) : [chain_id]
  const ofChain = async (chainId: number): Promise<Place[]> => {
    const decimals = deps.chains.get(chainId)?.usdcDecimals ?? 6
    const most = await deps.store.mostPaid({ by, chainId, limit })
    return most.map(it => ({
      agentId: it.agentId,
      score: by === 'revenue' ? toMicros(toRoughUsdc(it.earned, decimals)) : it.paidJobs,
    }))
  }
  return (await Promise.all(chainIds.map(ofChain)))
    .flat()
    .filter(it => it.score > 0)
    .sort((a, b) => b.score - a.score || (a.agentId < b.agentId ? -1 : 1))
}

/** Rounds to a millionth, below which sums of floating-point numbers differ. */
const toMicros = (usdc: number): number => Math.round(usdc * 1e6) / 1e6

/** Agents whose present scores are compared: those with the highest ratings. A rating lacks only when its agent was last seen. */
const compared = 50

/** Computes the present scores of the agents with the highest ratings, and of those whose rating is out of date. */
const rateBest = async (deps: Deps, { limit, ...onChain }: { limit: number; chainId?: number }): Promise<Map<AgentId, Rated>> => {
  const most = Math.max(compared, 2 * limit)
  const verified = await deps.store.topRated({ ...onChain, isVerified: true, limit: most })
  // They come last, so they are needed when the others are too few.
  const others = verified.length < limit ? await deps.store.topRated({ ...onChain, isVerified: false, limit: most }) : []
  const rows = await deps.store.judgements({ agentIds: [...verified, ...others] })
  return rateAll(deps, { agentIds: [...new Set(rows.map(it => it.agentId))], rows })
}

/** New agents rotate daily, in an order that no one can choose. */
const byScore = async (deps: Deps, { chain_id, limit }: Asked): Promise<Place[]> => {
  const onChain = chain_id === undefined ? {} : { chainId: chain_id }
  const [judged, fresh] = await Promise.all([
    rateBest(deps, { ...onChain, limit }),
    deps.store.newAgents({ ...onChain, judgedBelow: newAgentJudgements, limit }),
  ])
  const rated = new Map([...judged, ...rateAll(deps, { agentIds: fresh.filter(it => !judged.has(it)), rows: [] })])
  const places = [...rated].map(([agentId, it]) => ({ agentId, score: it.reputation.score, rated: it }))
  const turnOf = (id: AgentId) => sha256(`${toDay(deps.clock.now())}:${id}`)
  const isNew = new Set(fresh)
  return mixIn(
    places.filter(it => !isNew.has(it.agentId)),
    places
      .filter(it => isNew.has(it.agentId))
      .map(it => ({ ...it, isNew: true }))
      .sort((a, b) => (turnOf(a.agentId) < turnOf(b.agentId) ? -1 : 1)),
  )
}
