import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { suggestionsRecord } from '../../records/market/suggestion.ts'
import { toShownWork } from '../agents/agentRecord.ts'
import { readReputations } from '../agents/reputations.ts'
import { operation } from '../operation.ts'
import { blockedOf } from './findListings.ts'
import { suggestionOf } from './suggestions.ts'
import { renamed } from '../renamed.ts'

/** Maximum number of offerings whose examples are tried for one answer. */
const maxTried = 48

export const listSuggestions = operation({
  name: 'listSuggestions',
  summary: 'Example requests of agents that are online. Each leads to a proposal without a question; at most one per agent.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(12).default(4),
  }),
  output: suggestionsRecord,

  async run({ chain_id, limit }, deps, { wallet }) {
    const agentIds = deps.gateway.presence.healthy().slice(0, limits.filteredAgents)
    const of = { ...(chain_id !== undefined && { chainId: chain_id }), agentIds }
    const services = await deps.store.listed({ ...of, order: 'sample', limit: maxTried, offset: 0 })
    const blocked = await blockedOf(deps, wallet)
    const found = new Map<string, { text: string; service: (typeof services)[number] }>()
    for (const service of services) {
      if (found.size >= limit) break
      const isOut = found.has(service.agentId) || blocked.has(service.agentId)
      const text = isOut ? undefined : await suggestionOf(deps, service)
      if (text !== undefined) found.set(service.agentId, { text, service })
    }
    const reputationOf = await readReputations(deps, [...found.keys()])
    const suggestions = [...found.values()].map(({ text, service: it }) => {
      const { median_turnaround_s: usual } = reputationOf(it.agentId)
      return {
        text,
        ...renamed(it, ['agentId', 'agentHandle', 'name', 'price']),
        offering_id: it.id,
        ...(usual !== undefined && { usual_seconds: usual }),
        ...toShownWork(it),
      }
    })
    return { suggestions }
  },
})
