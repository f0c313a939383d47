import { deadlines, toRefundedBy } from '../domain/deadlines.ts'
import { limits } from '../domain/limits.ts'
import { formatUsdc, parseUsdc } from '../domain/money.ts'
import type { Listing } from '../domain/offering.ts'
import { type Proposal, type Terms, toDigest, toTag } from '../domain/proposal.ts'
import { fieldsOf } from '../domain/schema.ts'
import { chainOf, type Deps } from './operation.ts'

type Draft = { listing: Listing; input: string; reason: string; others: Listing[] }

/** The proposal of one listing. Price, payee and chain come from the stored offering, never from a model or a listing's text. */
export const writeProposal = async (
  deps: Pick<Deps, 'chains' | 'clock'>,
  { listing, input, reason, others }: Draft,
): Promise<Proposal> => {
  const chain = chainOf(deps, listing.chainId)
  const price = parseUsdc(listing.price, chain.usdcDecimals)
  if (price === undefined)
    throw new RangeError(`offering ${listing.id} of ${listing.agentId} has a price that chain ${chain.chainId} cannot pay`)
  const amount = formatUsdc(price, chain.usdcDecimals)
  const terms: Terms = {
    chainId: listing.chainId,
    agentId: listing.agentId,
    agentHandle: listing.agentHandle,
    offeringId: listing.id,
    offeringName: listing.name,
    offeringVersion: listing.version,
    input,
    price: amount,
    fee: formatUsdc((price * BigInt(chain.feeBps)) / 10_000n, chain.usdcDecimals),
    total: amount,
    slaMinutes: listing.slaMinutes,
  }
  const now = deps.clock.now()
  const { submitBy, expiresAt } = deadlines(listing.slaMinutes, now)
  return {
    ...terms,
    agentName: listing.agentName,
    youGet: fieldsOf(listing.deliverable).map(({ name, description }) => ({ field: name, description })),
    judgedBy: judgedBy(listing),
    timeline: { deliveredBy: submitBy, refundedBy: toRefundedBy({ expiresAt }) },
    alternatives: others.map(it => ({
      agentHandle: it.agentHandle,
      offeringName: it.name,
      price: it.price,
      why: 'fits the task less',
    })),
    reason,
    tag: toTag(terms),
    digest: toDigest(terms),
    lapsesAt: now + limits.proposalMs,
  }
}

const judgedBy = (listing: Listing): string[] => {
  const required = fieldsOf(listing.deliverable).filter(it => it.required)
  if (Object.keys(listing.deliverable).length === 0) return ['a text that is not empty']
  return ['JSON that satisfies the deliverable schema', ...required.map(it => `has ${it.name}`)]
}
