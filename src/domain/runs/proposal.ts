import { z } from 'zod'
import { toHireTag } from '../agents/agentId.ts'
import { reputation } from '../agents/reputation.ts'
import { digestChars } from '../consent/digest.ts'
import { namedFile } from '../files/namedFile.ts'
import { criterion } from '../jobs/acceptance.ts'
import { canonical, json, sha256 } from '../json.ts'
import { period } from '../money/mandate.ts'
import { usagePrice } from '../offerings/usagePrice.ts'

/** The terms that a user consents to. Code writes them from stored rows; no model and no listing sets a figure. */
export const terms = z.object({
  chainId: z.number().int(),
  agentId: z.string(),
  agentHandle: z.string(),
  offeringId: z.string(),
  offeringName: z.string(),
  offeringVersion: z.number().int(),
  /** The input, checked against the requirement, exactly as the agent gets it. */
  input: z.string(),
  /** USDC as decimal text. The fee is deducted from the provider's payout; the platform pays the gas of custodial wallets. */
  price: z.string(),
  /** The charge of one unit, where the total is the most that is paid. Absent for a fixed price. */
  usage: usagePrice.optional(),
  fee: z.string(),
  total: z.string(),
  slaMinutes: z.number().int(),
  checklistHash: z.string().optional(),
  /** The files of the input with their hashes, so that other bytes are other terms. Absent without files. */
  files: z.array(namedFile).optional(),
})
export type Terms = z.infer<typeof terms>

/**
 * The user's mandate in a proposal: `left` of `max_per_period` before the hire, in decimal USDC, and why the user is asked or
 * not.
 */
export const mandateView = z.object({
  mandate_id: z.string(),
  left: z.string(),
  max_per_period: z.string(),
  period,
  covers: z.boolean(),
  why: z.string(),
})
export type MandateView = z.infer<typeof mandateView>

// Unanswered proposals of an earlier release lack gas and mandate.
export const proposal = terms.extend({
  agentName: z.string(),
  /** The usage price in words. Absent for a fixed price. */
  charged: z.string().optional(),
  youGet: z.array(z.object({ field: z.string(), description: z.string() })),
  judgedBy: z.array(z.string()),
  checklist: z.array(criterion).default([]),
  timeline: z.object({ deliveredBy: z.number(), refundedBy: z.number() }),
  alternatives: z.array(z.object({ agentHandle: z.string(), offeringName: z.string(), price: z.string(), why: z.string() })),
  /** The agent's reputation at the time of the proposal. */
  reputation: reputation.optional(),
  /** When the agent was last seen, in words. */
  seen: z.string().optional(),
  reason: z.string(),
  /** Names of inputs whose value does not stand in the user's words: it was made from them. Absent in old proposals. */
  made: z.array(z.string()).default([]),
  /** Phrases of the user's messages that no input contains, so that the agent does not get them. */
  left_out: z.array(z.string()).default([]),
  /** Cost of the transactions besides the price, in decimal USDC, and who pays it. */
  gas: z.object({ amount: z.string(), payer: z.literal('platform') }).default({ amount: '0', payer: 'platform' }),
  /** The mandate that covers the hire, or the newest one that does not; null when the user has none. */
  mandate: mandateView.nullable().default(null),
  tag: z.string(),
  digest: z.string(),
  lapsesAt: z.number(),
})
export type Proposal = z.infer<typeof proposal>

/** Key of the record that a newer proposal of the same conversation replaced that of a run. */
export const replacedKey = 'replaced'

/** The digest to which a consent refers. Any change of terms changes it. */
export const toDigest = (agreed: Terms): string => sha256(canonical(json.parse(terms.parse(agreed)))).slice(0, digestChars)

export const toTag = (it: Terms) => toHireTag(it.agentHandle, it.agentId)
