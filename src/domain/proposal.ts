import { z } from 'zod'
import { criterion } from './acceptance.ts'
import { toHireTag } from './agentId.ts'
import { canonical, json, sha256 } from './json.ts'
import { period } from './mandate.ts'
import { reputation } from './reputation.ts'

/** What the user is asked to agree to. Written by code from our own rows; no model and no listing sets a figure in it. */
export const terms = z.object({
  chainId: z.number().int(),
  agentId: z.string(),
  agentHandle: z.string(),
  offeringId: z.string(),
  offeringName: z.string(),
  offeringVersion: z.number().int(),
  /** The filled input, checked against the requirement, byte for byte as the agent will get it. */
  input: z.string(),
  /** USDC, decimal text. The fee is taken from the provider's payout; gas of custodial wallets is paid by the platform. */
  price: z.string(),
  fee: z.string(),
  total: z.string(),
  slaMinutes: z.number().int(),
  /** SHA-256 of the checklist that the deliverable is judged by; absent in terms of before there was one. */
  checklistHash: z.string().optional(),
})
export type Terms = z.infer<typeof terms>

/** What the user's mandate says to a proposal: `left` of `max_per_period` before the hire, decimal USDC, and why it is asked about or not. */
const mandateView = z.object({
  mandate_id: z.string(),
  left: z.string(),
  max_per_period: z.string(),
  period,
  covers: z.boolean(),
  why: z.string(),
})
export type MandateView = z.infer<typeof mandateView>

// Proposals of an earlier release that wait for their answer have no gas and no mandate in them.
export const proposal = terms.extend({
  agentName: z.string(),
  youGet: z.array(z.object({ field: z.string(), description: z.string() })),
  judgedBy: z.array(z.string()),
  checklist: z.array(criterion).default([]),
  timeline: z.object({ deliveredBy: z.number(), refundedBy: z.number() }),
  alternatives: z.array(z.object({ agentHandle: z.string(), offeringName: z.string(), price: z.string(), why: z.string() })),
  /** What is known of the agent's earlier jobs, when it was proposed. */
  reputation: reputation.optional(),
  reason: z.string(),
  /** What the transactions cost beside the price, decimal USDC, and who pays it. */
  gas: z.object({ amount: z.string(), payer: z.literal('platform') }).default({ amount: '0', payer: 'platform' }),
  /** The mandate that covers the hire, or the newest one that does not; null when the user has none. */
  mandate: mandateView.nullable().default(null),
  tag: z.string(),
  /** Eight characters of the hash of all terms: a yes binds to it. */
  digest: z.string(),
  lapsesAt: z.number(),
})
export type Proposal = z.infer<typeof proposal>

/** The digest that a yes binds to; any change of terms gives another one. */
export const toDigest = (agreed: Terms): string => sha256(canonical(json.parse(terms.parse(agreed)))).slice(0, 8)

export const toTag = (it: Terms) => toHireTag(it.agentHandle, it.agentId)
