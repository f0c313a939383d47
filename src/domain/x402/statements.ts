import { z } from 'zod'
import { isObject, type Json, type JsonObject, parseJson } from '../json.ts'

// Signed offers and receipts of x402 (specs/extensions/extension-offer-and-receipt.md), as compact JWS (RFC 7515) over canonical
// JSON (RFC 8785), signed with ES256 by a key of `/.well-known/jwks.json`.

/** Name of the extension in answers of x402. */
export const offerReceipt = 'offer-receipt'

/** How long an offer is valid, in s. */
export const offerSeconds = 300

/** The payload of an offer for accepted terms. @param now epoch ms */
export const toOffer = (resourceUrl: string, accepted: JsonObject, now: number): JsonObject => {
  const { scheme = '', network = '', asset = '', payTo = '', amount = '' } = accepted
  const validUntil = Math.floor(now / 1_000) + offerSeconds
  return { version: 1, resourceUrl, scheme, network, asset, payTo, amount, validUntil }
}

type Paid = { resourceUrl: string; network: string; payer: string; transaction: string; at: number }

/** The payload of a receipt. `more`: members of this market, for a hire. @param of.at epoch ms */
export const toReceipt = ({ at, ...of }: Paid, more: JsonObject = {}): JsonObject => ({
  version: 1,
  ...of,
  issuedAt: Math.floor(at / 1_000),
  ...more,
})

/** The extension of a 402 answer with one signed offer. */
export const toOfferExtension = (signature: string): JsonObject => ({
  info: { offers: [{ format: 'jws', acceptIndex: 0, signature }] },
})

/** The extension of a settlement with its signed receipt. */
export const toReceiptExtension = (signature: string): JsonObject => ({ info: { receipt: { format: 'jws', signature } } })

const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Finds the signed statement in a file: a compact JWS, or JSON that has one as `receipt` or `signature`. */
export const findStatement = (text: string): string | undefined => {
  const plain = text.trim()
  return compact.test(plain) ? plain : findIn(parseJson(plain) ?? null)
}

const findIn = (value: Json): string | undefined => {
  if (!isObject(value)) return undefined
  for (const it of [value.receipt, value.signature]) {
    if (typeof it === 'string' && compact.test(it)) return it
    const inner = isObject(it) ? findIn(it) : undefined
    if (inner) return inner
  }
  return undefined
}

const stamped = z.looseObject({ issuedAt: z.number() })

/** When a receipt was issued, in epoch ms; undefined if it does not say so. The signature is not checked. */
export const issuedAtOf = (statement: string): number | undefined => {
  const [, payload = ''] = statement.split('.')
  const { data } = stamped.safeParse(parseJson(Buffer.from(payload, 'base64url').toString('utf8')))
  return data && data.issuedAt * 1_000
}

/** The public keys of a JWK set (RFC 7517) that verify statements. */
export const statementKeys = z.object({
  keys: z.array(z.looseObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })),
})
