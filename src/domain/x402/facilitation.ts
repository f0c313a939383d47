import { z } from 'zod'
import type { JsonObject } from '../json.ts'
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
