import type { z } from 'zod'
import type { Reputation } from '../../domain/agents/reputation.ts'
import { decodePart } from '../../domain/net/decodePart.ts'
import type { ListedService } from '../../ports.ts'
import type { serviceRecord } from '../../records/service.ts'
import { toPriceRecord, toShownWork } from '../agents/agentRecord.ts'
import { renamed } from '../renamed.ts'

export const toServiceRecord = (it: ListedService, rated: Reputation): z.infer<typeof serviceRecord> => ({
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
export const parseServiceId = (id: string): { agentId: string; offeringId: string } | undefined => {
  const [, agentId, offering] = /^(\d+:0x[0-9a-f]{40}:\d+):(.+)$/i.exec(id) ?? []
  const offeringId = offering && decodePart(offering)
  return agentId && offeringId ? { agentId: agentId.toLowerCase(), offeringId } : undefined
}
