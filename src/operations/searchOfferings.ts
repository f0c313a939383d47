import { z } from 'zod'
import { defaultChainId } from '../domain/chains.ts'
import { limits } from '../domain/limits.ts'
import { offeringHit, toOfferingHit } from './agentRecord.ts'
import { findListings } from './findListings.ts'
import { operation } from './operation.ts'

export const searchOfferings = operation({
  name: 'searchOfferings',
  summary: 'Search the priced offerings of all agents by what you need done, in plain words. Changes nothing and costs nothing.',
  caller: 'anyone',
  input: z.object({
    query: z.string().min(1).max(limits.messageChars).describe('What you need done'),
    chain_id: z.coerce.number().int().default(defaultChainId),
    max_price: z.string().optional().describe('Highest price in USDC, decimal text'),
    limit: z.coerce.number().int().min(1).max(50).default(10),
  }),
  output: z.object({ offerings: z.array(offeringHit) }),

  async run({ query, chain_id, max_price, limit }, deps) {
    const found = await findListings(deps, { text: query, chainId: chain_id, maxPrice: max_price, agent: undefined, limit })
    return { offerings: found.map(({ listing, coverage }) => toOfferingHit(listing, coverage)) }
  },
})
