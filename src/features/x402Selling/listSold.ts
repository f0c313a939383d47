import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import { isRefusal } from '../../domain/problem.ts'
import { toRequirements } from '../../domain/x402/x402.ts'
import { maxCallMinutes } from '../../domain/x402/x402Times.ts'
import { type Deps, operation } from '../../operations/operation.ts'
import type { Chain } from '../../ports.ts'
import { type Sale, toCharge, toSale } from './sale.ts'

const soldItem = z.looseObject({
  resource: z.string(),
  type: z.literal('http'),
  lastUpdated: z.string().describe('ISO 8601; when its agent was last registered'),
})

export const listSold = operation({
  name: 'listSold',
  summary: 'What can be bought by x402 here, with prices, schemas and examples.',
  caller: 'anyone',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(limits.soldRows).default(limits.soldRows),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: z.object({
    x402Version: z.literal(2),
    resources: z.array(z.string()).describe('The URLs of `items`'),
    items: z.array(soldItem),
    pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number().describe('Everything that is sold') }),
  }),

  async run({ limit, offset }, deps) {
    const chains = [...deps.chains.values()]
    const idsOf = (are: Chain[]) => are.map(it => it.chainId)
    const chainIds = idsOf(chains.filter(it => it.authorized ?? it.permitted))
    const sold = { chainIds, usageChainIds: idsOf(chains.filter(it => it.upto)), slaMinutes: maxCallMinutes }
    const [listings, total] = [await deps.store.soldListings({ ...sold, limit, offset }), await deps.store.countSold(sold)]
    const items = []
    // One after the other, so that other requests are served between them.
    for (const it of listings) items.push(...(await toItems(deps, it)))
    return { x402Version: 2 as const, resources: items.map(it => it.resource), items, pagination: { limit, offset, total } }
  },
})

const toItems = async (deps: Deps, listing: Listing) => {
  const agent = await deps.store.agent(listing.agentId)
  const sale = agent?.id ? saleOrNone(deps, { ...agent, id: agent.id }, listing) : undefined
  if (!agent || !sale) return []
  const charge = await toCharge(deps, sale)
  const { url: resource, description, discovery } = charge
  const lastUpdated = new Date(agent.updatedAt).toISOString()
  const accepts = [toRequirements(charge)]
  return [
    { resource, type: 'http' as const, x402Version: 2, description, accepts, lastUpdated, extensions: { bazaar: discovery } },
  ]
}

const saleOrNone = (...of: Parameters<typeof toSale>): Sale | undefined => {
  try {
    return toSale(...of)
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
