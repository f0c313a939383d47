import { z } from 'zod'
import { chainOfQuery } from '../../domain/chains/chains.ts'
import { limits } from '../../domain/limits.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import { Problem } from '../../domain/problem.ts'
import { toPlace } from '../../domain/x402/outsideWords.ts'
import { offeringHits } from '../../records/agent.ts'
import { toOfferingHit } from '../agents/agentRecord.ts'
import { readReputations } from '../agents/reputations.ts'
import { operation } from '../operation.ts'
import { findListings } from './findListings.ts'
import { highestPrice } from './services.ts'

const tooLong = `Without a token, a search has at most ${limits.strangerSearchChars} characters.`
const strangersSearch = `${tooLong} Say in short what you need.`

export const searchOfferings = operation({
  name: 'searchOfferings',
  summary: 'Search the priced offerings of all agents by what you need done, in plain words. Free of charge.',
  caller: 'anyone',
  input: z.object({
    query: z.string().min(1).max(limits.messageChars).describe('What you need done'),
    chain_id: chainOfQuery,
    max_price: highestPrice.describe('Maximum price in USDC, decimal text'),
    limit: z.coerce.number().int().min(1).max(50).default(10),
    explain: z
      .union([z.boolean(), z.enum(['true', 'false'])])
      .default(false)
      .describe('Whether each hit explains its score'),
  }),
  output: offeringHits,

  async run({ query, chain_id, max_price, limit, explain: asked }, deps, { wallet, agentKey }) {
    if (query.length > limits.strangerSearchChars && !wallet && !agentKey)
      throw new Problem('invalid-input', strangersSearch, '/query')
    const explain = asked === true || asked === 'true'
    const want = { text: query, chainId: chain_id, maxPrice: max_price, agent: undefined, limit, explain, user: wallet }
    const found = await findListings(deps, want)
    const agentIds = found.map(it => it.listing.agentId)
    const reputationOf = await readReputations(deps, agentIds)
    const certificates = (await deps.certificatesOf?.([...new Set(agentIds)])) ?? []
    const certificateOf = ({ agentId, id }: Listing) => certificates.find(it => it.agentId === agentId && it.offeringId === id)
    const outside =
      deps.settings.catalogues && (await deps.supply?.find(deps, { text: query, chainId: chain_id, maxPrice: max_price, limit }))
    const market = found.map(({ listing, coverage }) => ({ coverage, price: Number(listing.price) }))
    return {
      ...(outside && { outside: outside.map(it => ({ ...it, place: toPlace({ ...it, price: Number(it.price) }, market) })) }),
      offerings: found.map(({ listing, coverage, score = 0, explanation }) => ({
        ...toOfferingHit(listing, { coverage, reputation: reputationOf(listing.agentId), certificate: certificateOf(listing) }),
        ...(explanation && { explanation: { score, ...explanation } }),
      })),
    }
  },
})
