import { z } from 'zod'
import { decodePart } from '../../domain/decodePart.ts'
import { type Reputation, reputation } from '../../domain/reputation.ts'
import type { ListedService } from '../../ports.ts'

/** An offering as existing clients read a service. The price is both text and number. */
export const serviceRecord = z.object({
  id: z.string().describe('<agent_id>:<offering id, percent-encoded>'),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  price: z.string(),
  price_v2: z.object({ type: z.literal('fixed'), amount: z.number(), currency: z.literal('USDC'), symbol: z.literal('USDC') }),
  provider: z.string(),
  agent_id: z.string(),
  agent_handle: z.string(),
  offering_id: z.string(),
  chain_id: z.number(),
  sla_minutes: z.number(),
  active: z.boolean(),
  examples: z.array(z.string()).describe('Requests as a buyer would say them'),
  sample: z.string().describe('A deliverable that its owner shows as an example; empty when there is none'),
  main: z.string().describe('The member of a deliverable that answers the request by itself; empty when none does'),
  reputation,
})

export const toServiceRecord = (it: ListedService, rated: Reputation): z.infer<typeof serviceRecord> => ({
  id: `${it.agentId}:${encodeURIComponent(it.id)}`,
  name: it.name,
  description: it.description,
  tags: it.tags ?? [],
  price: it.price,
  price_v2: { type: 'fixed', amount: Number(it.price), currency: 'USDC', symbol: 'USDC' },
  provider: it.agentName,
  agent_id: it.agentId,
  agent_handle: it.agentHandle,
  offering_id: it.id,
  chain_id: it.chainId,
  sla_minutes: it.slaMinutes,
  // Inactive offerings are never listed.
  active: true,
  examples: it.examples ?? [],
  sample: it.sample ?? '',
  main: it.main ?? '',
  reputation: rated,
})

/** Splits the id of a service into agent and offering; undefined when it is malformed. */
export const parseServiceId = (id: string): { agentId: string; offeringId: string } | undefined => {
  const [, agentId, offering] = /^(\d+:0x[0-9a-f]{40}:\d+):(.+)$/i.exec(id) ?? []
  const offeringId = offering && decodePart(offering)
  return agentId && offeringId ? { agentId: agentId.toLowerCase(), offeringId } : undefined
}
