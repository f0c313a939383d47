import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { limits } from '../limits.ts'
import { toPayload } from './purchase.ts'
import { type Authorization, type Charge, toResource, toTerms } from './x402.ts'

/**
 * What a facilitator is asked: to verify a payment, and then to settle it (x402 version 2, section 7). Catalogues learn of a
 * resource from the description in the payments that their facilitator settles.
 */
export const toFacilitation = (charge: Charge, signed: Authorization): JsonObject => {
  const { asset, discovery, method } = charge
  const terms = toTerms(charge)
  const spender = method.name === 'permit2' ? method.spender : undefined
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: toResource(charge),
      accepted: terms,
      payload: toPayload(signed, { asset, spender }),
      ...(discovery && { extensions: { bazaar: discovery } }),
    },
    paymentRequirements: terms,
  }
}

/** The answers of a facilitator. What it says of a transaction is not read: only the chain says what was paid. */
export const verified = z.looseObject({ isValid: z.boolean() })
export const settled = z.looseObject({ success: z.boolean() })

/** Time in ms that a facilitator has for one answer, and that its transfer may need to be seen after that. */
export const [facilitatorMs, transferMs] = [10_000, 10_000]

/** A facilitator gets only payments that this service can still settle after it failed, with some time for that. */
const ownSettlementMs = 15_000

/** Whether a payment that expires at this time (epoch ms) can be given to a facilitator. */
export const hasTimeForFacilitator = (validUntil: number, now: number): boolean =>
  validUntil - now >= 2 * facilitatorMs + transferMs + ownSettlementMs

/** Paid calls in progress of one party, and when the first of them ends at the latest (epoch ms). */
export type Share = { open: number; endsBy: number | undefined }

/** Paid calls in progress: of one payer, to one agent, to all agents of its owner, and of everybody. */
export type OpenCalls = { payer: Share; agent: Share; owner: Share; all: Share }

/**
 * The part of the free places that a party may hold, so that each newcomer finds a place however many parties fill theirs.
 * Source: Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998.
 */
const parts = { agent: 1 / 8, owner: 1 / 4, payer: 1 / 4 } as const
const parties = ['agent', 'owner', 'payer'] as const

/** The party that may start no more calls now, and when a place is free at the latest; undefined when one more may start. */
export const fullShare = (calls: OpenCalls): { of: keyof OpenCalls; endsBy: number | undefined } | undefined => {
  const free = limits.paidCalls - calls.all.open
  const of = parties.find(it => calls[it].open >= free * parts[it])
  if (free <= 0) return { of: 'all', endsBy: calls.all.endsBy }
  if (of) return { of, endsBy: calls[of].endsBy }
  return calls.payer.open >= limits.paidCallsOfPayer ? { of: 'payer', endsBy: calls.payer.endsBy } : undefined
}
