import type { z } from 'zod'
import type { Reputation } from '../../domain/agents/reputation.ts'
import { decodePart } from '../../domain/net/decodePart.ts'
import type { ListedService } from '../../ports.ts'
import type { serviceRecord } from '../../records/service.ts'
import { toPriceRecord, toShownWork } from '../agents/agentRecord.ts'

export const toServiceRecord = (it: ListedService, rated: Reputation): z.infer<typeof serviceRecord> => ({
  id: `${it.agentId}:${encodeURIComponent(it.id)}`,
  name: it.name,
  description: it.description,
  tags: it.tags ?? [],
  price: it.price,
  price_v2: { ...toPriceRecord(it), symbol: 'USDC' },
  provider: it.agentName,
  agent_id: it.agentId,
  agent_handle: it.agentHandle,
  offering_id: it.id,
  chain_id: it.chainId,
  sla_minutes: it.slaMinutes,
  // Inactive offerings are never listed.
  active: true,
  examples: it.examples ?? [],
  ...toShownWork(it),
  reputation: rated,
})

/** Splits the id of a service into agent and offering; undefined when it is malformed. */
export const parseServiceId = (id: string): { agentId: string; offeringId: string } | undefined => {
  const [, agentId, offering] = /^(\d+:0x[0-9a-f]{40}:\d+):(.+)$/i.exec(id) ?? []
  const offeringId = offering && decodePart(offering)
  return agentId && offeringId ? { agentId: agentId.toLowerCase(), offeringId } : undefined
}
