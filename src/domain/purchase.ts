import { z } from 'zod'
import type { Address } from './hex.ts'
import { canonical, type JsonObject, json, jsonObject, parseJson, sha256 } from './json.ts'
import type { Atomic } from './money.ts'
import { toQuotable } from './quotableText.ts'
import { type Authorization, anAddress, isNetwork, toHeader } from './x402.ts'

// The buyer's side of x402 (versions 1 and 2, scheme `exact` with EIP-3009): the seller's requirement, and the payment.

/** The request that a purchase pays for. `body` is the exact text that is sent. */
export type PaidRequest = { url: string; method: 'GET' | 'POST'; body: string | undefined }

/** One accepted way to pay that fits the chain, with the seller's requirement, which is sent back unchanged. */
export type Offer = {
  version: 1 | 2
  amount: Atomic
  payTo: Address
  asset: Address
  /** The validity of the authorization that the seller requests, in s. */
  timeoutS: number
  requirement: JsonObject
  resource: JsonObject | undefined
  /** The seller's description, which is untrusted text. */
  description: string
}

const whole = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt)
const requirement = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string().max(100),
  amount: whole.optional(),
  maxAmountRequired: whole.optional(),
  asset: anAddress,
  payTo: anAddress,
  maxTimeoutSeconds: z.number().positive().max(1e9),
  description: z.string().optional(),
  extra: z.looseObject({ name: z.string(), version: z.string(), assetTransferMethod: z.string() }).partial().nullish(),
})
const required = z.looseObject({
  x402Version: z.union([z.literal(1), z.literal(2)]),
  accepts: z.array(z.unknown()).max(50),
  resource: jsonObject.nullish(),
})

/** Maximum length of a requirement as JSON, because it is stored and sent back. */
const requirementChars = 4_000
const descriptionChars = 300

/** The chain, the token and the token's EIP-712 domain for the payment. */
type Till = { chainId: number; asset: Address; domain: { name: string; version: string } }

/**
 * Chooses the cheapest way to pay in a 402 answer that fits the chain and its USDC.
 * @param header value of PAYMENT-REQUIRED (version 2)
 * @returns a sentence with the reason where nothing fits
 */
export const chooseOffer = ({ header, body }: { header: string | undefined; body: string }, till: Till): Offer | string => {
  const inHeader = header === undefined ? undefined : parseJson(Buffer.from(header, 'base64').toString('utf8'))
  const { data } = required.safeParse(inHeader ?? parseJson(body))
  if (!data) return 'Its answer 402 does not follow x402.'
  const offers = data.accepts.flatMap(it =>
    toOffer(it, { version: data.x402Version, resource: data.resource ?? undefined }, till),
  )
  const [cheapest] = offers.toSorted((one, other) => (one.amount < other.amount ? -1 : 1))
  return cheapest ?? `It does not accept a signed transfer of the USDC ${till.asset} on chain ${till.chainId}.`
}

const toOffer = (value: unknown, of: Pick<Offer, 'version' | 'resource'>, till: Till): Offer[] => {
  const { data } = requirement.safeParse(value)
  const kept = jsonObject.safeParse(value).data
  const amount = of.version === 2 ? data?.amount : (data?.maxAmountRequired ?? data?.amount)
  if (!data || !kept || amount === undefined || amount === 0n) return []
  if (!isNetwork(data.network, till.chainId) || data.asset !== till.asset) return []
  const { name = till.domain.name, version = till.domain.version, assetTransferMethod = 'eip3009' } = data.extra ?? {}
  if (name !== till.domain.name || version !== till.domain.version || assetTransferMethod !== 'eip3009') return []
  if (JSON.stringify([kept, of.resource]).length > requirementChars) return []
  const words = data.description ?? of.resource?.description
  const description = typeof words === 'string' ? toQuotable(words, descriptionChars) : ''
  const timeoutS = Math.floor(data.maxTimeoutSeconds)
  return [{ ...of, amount, payTo: data.payTo, asset: data.asset, timeoutS, requirement: kept, description }]
}

/** The terms that a user consents to. Any change of them changes the digest. */
export type PurchaseTerms = PaidRequest & { chainId: number; amount: Atomic; asset: Address; payTo: Address }

/** The first eight characters of the hash of payee, amount, token, chain, resource, method and body. */
export const toPurchaseDigest = ({ url, method, body, chainId, amount, asset, payTo }: PurchaseTerms): string => {
  const terms = { url, method, body: sha256(body ?? ''), chainId, amount: amount.toString(), asset, payTo }
  return sha256(canonical(json.parse(terms))).slice(0, 8)
}

/** The payment header: PAYMENT-SIGNATURE in version 2, X-PAYMENT in version 1. */
export const toPaymentHeader = (
  { version, requirement, resource }: Pick<Offer, 'version' | 'requirement' | 'resource'>,
  { signature, ...terms }: Authorization,
): [name: string, value: string] => {
  const authorization = Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)]))
  const payload = { signature, authorization }
  if (version === 2)
    return ['payment-signature', toHeader({ x402Version: 2, ...(resource && { resource }), accepted: requirement, payload })]
  const { scheme = 'exact', network = '' } = requirement
  return ['x-payment', toHeader({ x402Version: 1, scheme, network, payload })]
}

/** Maximum validity of a signed authorization, in s. Until it expires, it is uncertain whether the money leaves. */
const maxTimeoutS = 600
/** A seller needs some time between the request and the settlement, in s. */
const minTimeoutS = 30

/** The expiry (epoch s) of an authorization signed at `now` (epoch ms). */
export const toValidBefore = (timeoutS: number, now: number): number =>
  Math.floor(now / 1_000) + Math.min(Math.max(timeoutS, minTimeoutS), maxTimeoutS)

/** Statuses after which the same request is repeated with the same payment, because it may still be served. */
const passing = new Set([202, 408, 409, 425, 429])

/** Whether the seller may answer a repeated paid request differently. */
export const isPassing = (status: number): boolean => status >= 500 || passing.has(status)

const longestPauseMs = 15_000

/** Pause in ms before the next check of a purchase, from the number of checks so far. */
export const toCheckDelayMs = (tries: number): number => Math.min(250 * 2 ** Math.min(tries, 10), longestPauseMs)
