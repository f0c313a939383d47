import { z } from 'zod'
import type { Reputation } from '../../domain/agents/reputation.ts'
import { limits } from '../../domain/limits.ts'
import { maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import { decodePart } from '../../domain/net/decodePart.ts'
import { isListed } from '../../domain/offerings/offering.ts'
import { Problem } from '../../domain/problem.ts'
import type { ListedFilter, ListedService } from '../../ports.ts'
import { type serviceRecord, servicesRecord, wholeServiceRecord } from '../../records/service.ts'
import { toPriceRecord, toShownWork } from '../agents/agentRecord.ts'
import { readReputations } from '../agents/reputations.ts'
import { type Deps, operation } from '../operation.ts'
import { renamed } from '../renamed.ts'

/** Number of tags with counts in the answer, the most frequent first. */
const countedTags = 12

export const highestPrice = z
  .string()
  .max(100)
  .refine(it => parseUsdc(it, maxDecimals) !== undefined, 'must be a decimal amount of USDC')
  .optional()

const input = z.object({
  chain_id: z.coerce.number().int().optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(limits.pageRows).default(50),
  sort: z
    .enum(['newest', 'sample', 'price', 'speed', 'jobs'])
    .default('newest')
    .describe(
      'By newest agent, those with a sample of their work first, lowest price, shortest promise, ' +
        'or most jobs of others that its agent was paid for',
    ),
  tag: z.string().max(limits.tagChars).optional().describe('Only offerings with this tag'),
  max_price: highestPrice.describe('Highest price in USDC, decimal text'),
  online: z.enum(['true', 'false']).default('false').describe('Only offerings of agents that are online now'),
})

export const listServices = operation({
  name: 'listServices',
  summary: 'Offerings that anyone may hire, those of the newest agents first unless sorted otherwise.',
  caller: 'anyone',
  input,
  output: servicesRecord,

  async run(asked, deps) {
    const { page, pageSize, sort, tag } = asked
    const filter = toFilter(asked, deps)
    const tagged = { ...filter, ...(tag !== undefined && { tag }) }
    const [listings, total, tags] = await Promise.all([
      deps.store.listed({ ...tagged, order: sort, limit: pageSize, offset: (page - 1) * pageSize }),
      deps.store.countListedBy(tagged),
      deps.store.listedTags(filter, countedTags),
    ])
    const agentIds = listings.map(it => it.agentId)
    const reputationOf = await readReputations(deps, agentIds)
    return { data: listings.map(it => toServiceRecord(it, reputationOf(it.agentId))), total, page, pageSize, tags }
  },
})

const toFilter = ({ chain_id, max_price, online }: z.output<typeof input>, { gateway }: Deps): ListedFilter => ({
  ...(chain_id !== undefined && { chainId: chain_id }),
  ...(max_price !== undefined && { maxPrice: max_price }),
  ...(online === 'true' && { agentIds: gateway.presence.healthy().slice(0, limits.filteredAgents) }),
})

const toServiceRecord = (it: ListedService, rated: Reputation): z.infer<typeof serviceRecord> => ({
  id: `${it.agentId}:${encodeURIComponent(it.id)}`,
  ...renamed(it, ['name', 'description', 'price', 'agentId', 'agentHandle', 'chainId', 'slaMinutes']),
  tags: it.tags ?? [],
  price_v2: { ...toPriceRecord(it), symbol: 'USDC' },
  provider: it.agentName,
  offering_id: it.id,
  // Inactive offerings are never listed.
  active: true,
  examples: it.examples ?? [],
  ...toShownWork(it),
  reputation: rated,
})

/** Splits the id of a service into agent and offering; undefined when it is malformed. */
const parseServiceId = (id: string): { agentId: string; offeringId: string } | undefined => {
  const [, agentId, offering] = /^(\d+:0x[0-9a-f]{40}:\d+):(.+)$/i.exec(id) ?? []
  const offeringId = offering && decodePart(offering)
  return agentId && offeringId ? { agentId: agentId.toLowerCase(), offeringId } : undefined
}

export const readService = operation({
  name: 'readService',
  summary: 'One offering that anyone may hire.',
  caller: 'anyone',
  input: z.object({ service_id: z.string().max(1000) }),
  output: wholeServiceRecord,

  async run({ service_id }, deps) {
    const of = parseServiceId(service_id)
    const listing = of && (await deps.store.listing(of.agentId, of.offeringId))
    if (!listing || !isListed(listing)) throw new Problem('offering-not-found')
    const reputationOf = await readReputations(deps, [listing.agentId])
    const { requirement, deliverable } = listing
    return { ...toServiceRecord(listing, reputationOf(listing.agentId)), requirement, deliverable }
  },
})
