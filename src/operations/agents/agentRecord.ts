import type { z } from 'zod'
import type { Reputation } from '../../domain/agents/reputation.ts'
import { toIso } from '../../domain/durations.ts'
import type { JsonObject } from '../../domain/json.ts'
import { type Listing, type ShownMember, shownMembers } from '../../domain/offerings/offering.ts'
import { costModelOf, metadataOf, resourcesOf } from '../../domain/offerings/resources.ts'
import { toCountingWords, toUsageText } from '../../domain/offerings/usagePrice.ts'
import { fieldsOf } from '../../domain/schemas/schema.ts'
import type { Certificate, ListedAgent } from '../../ports.ts'
import type { AgentRecord, offeringHit, offeringRecord } from '../../records/agent.ts'
import type { certificateRecord } from '../../records/certificate.ts'
import type { priceRecord } from '../../records/price.ts'
import type { Settings } from '../deps.ts'
import { renamed } from '../renamed.ts'
import { type Figures, noFigures, successRate } from './reputations.ts'

export const toCertificateRecord = (it: Certificate): z.infer<typeof certificateRecord> => ({
  issued_at: toIso(it.issuedAt),
  expires_at: toIso(it.expiresAt),
  ...renamed(it, ['cases', 'signer', 'text', 'signature']),
})

/** Members that the owner left out are empty texts, because existing clients fail on null. */
export const toShownWork = (it: { [name in ShownMember]?: string | undefined }) =>
  Object.fromEntries(shownMembers.map(name => [name, it[name] ?? ''])) as Record<ShownMember, string>

/** The price of an offering. The amount of a usage price is the most that a hire costs. */
export const toPriceRecord = ({ price, usage }: Pick<Listing, 'price' | 'usage'>): z.infer<typeof priceRecord> => ({
  type: usage ? 'usage' : 'fixed',
  amount: Number(price),
  currency: 'USDC',
  ...(usage && {
    up_to: Number(price),
    unit: usage.unit,
    per_unit: usage.perUnit,
    counting: toCountingWords(usage.unit),
  }),
})

const toOfferingRecord = (it: Listing, certificate?: Certificate): z.infer<typeof offeringRecord> => ({
  ...renamed(it, ['id', 'name', 'description', 'jobInput', 'jobOutput', 'requirement', 'deliverable', 'slaMinutes']),
  ...renamed(it, ['requiredFunds', 'restricted', 'hide', 'active']),
  type: 'JOB',
  price: Number(it.price),
  price_v2: toPriceRecord(it),
  examples: it.examples ?? [],
  tags: it.tags ?? [],
  ...toShownWork(it),
  ...(certificate && { certificate: toCertificateRecord(certificate) }),
  validation: it.validation ?? false,
})

type Shown = {
  listings: Listing[]
  callPrice: string
  isVerified: boolean
  reputation: Reputation
  figures?: Figures | undefined
  certificates?: Certificate[]
}

/** The API representation of an agent. A polling agent gets an address of this service as its URL. */
export const toAgentRecord = (
  agent: ListedAgent & { card?: JsonObject },
  { listings, callPrice, isVerified, reputation: rated, figures = noFigures, certificates = [] }: Shown,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): AgentRecord => {
  const certificateOf = ({ id }: Listing) => certificates.find(it => it.offeringId === id)
  const offerings = listings.map(it => toOfferingRecord(it, certificateOf(it)))
  const { skills, card } = agent
  const amounts = listings.map(it => Number(it.price))
  // A polling agent has no endpoint of its own.
  const url = agent.endpointUrl ?? `${publicUrl}/agents/handle/${agent.handle}`
  return {
    agent_id: agent.id ?? '',
    ...renamed(agent, ['handle', 'name', 'description', 'chainId', 'version']),
    display_name: agent.name,
    owner_id: `user:${agent.owner}`,
    wallet_address: agent.wallet,
    endpoint_url: agent.endpointUrl ?? '',
    card: { name: agent.name, description: agent.description, url, skills },
    price: { amount: amounts.length > 0 ? Math.min(...amounts) : Number(callPrice), currency: 'USDC', symbol: 'USDC' },
    skills,
    job_offerings: offerings,
    ...(card && { job_resources: resourcesOf(card), cost_model: costModelOf(card) }),
    metadata: { ...(card && metadataOf(card)), via_gateway: agent.viaGateway, job_offerings: offerings },
    created_at: toIso(agent.createdAt),
    verified: isVerified,
    reputation: rated,
    stats: {
      total_jobs: figures.total,
      completed_jobs: figures.settled,
      total_revenue: figures.revenue,
      success_rate: successRate(figures),
    },
  }
}

type Rating = { reputation: Reputation; certificate?: Certificate | undefined }

export const toOfferingHit = (
  it: Listing,
  { coverage, reputation: rated, certificate }: { coverage: number } & Rating,
): z.infer<typeof offeringHit> => ({
  ...renamed(it, ['agentId', 'agentHandle', 'agentName', 'name', 'description', 'price', 'slaMinutes']),
  offering_id: it.id,
  ...(it.usage && { charged: toUsageText(it.usage) }),
  tags: it.tags ?? [],
  ...toShownWork(it),
  needs: fieldsOf(it.requirement).map(({ name, ...rest }) => ({ field: name, ...rest })),
  ...(certificate && { certified_until: toIso(certificate.expiresAt) }),
  coverage,
  reputation: rated,
})
