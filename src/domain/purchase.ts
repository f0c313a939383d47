import { z } from 'zod'
import { digestChars } from './consent/digest.ts'
import type { Address } from './hex.ts'
import { canonical, isObject, type JsonObject, json, jsonObject, parseJson, sha256 } from './json.ts'
import type { Atomic } from './money.ts'
import { toQuotable } from './quotableText.ts'
import { type Authorization, anAddress, isNetwork, type TransferMethod, toHeader } from './x402.ts'

// The buyer's side of x402 (versions 1 and 2, scheme `exact` with EIP-3009 or Permit2): the seller's requirement, and the payment.

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

/** The key of the intent that approves Permit2 for a purchase. */
export const toApprovalKey = (purchaseId: string): string => `purchase:${purchaseId}:approve`

/** Maximum length of a requirement as JSON, because it is stored and sent back. */
const requirementChars = 4_000
const descriptionChars = 300

/**
 * The chain and the token of the payment. `domain`: the token's EIP-712 domain, if it has signed transfers. `hasPermit2`: whether a
 * payment can be signed for Permit2.
 */
type Till = { chainId: number; asset: Address; domain: { name: string; version: string } | undefined; hasPermit2: boolean }

/** How a payment is signed: for the token (EIP-3009), or for Permit2, which the wallet approves before. */
export const transferMethodOf = ({ requirement: { extra } }: Pick<Offer, 'requirement'>): TransferMethod['name'] =>
  isObject(extra) && extra.assetTransferMethod === 'permit2' ? 'permit2' : 'eip3009'

/**
 * Chooses a way to pay in a 402 answer that fits the chain and its USDC: the cheapest one, by EIP-3009 where that is accepted.
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
  const direct = offers.filter(it => transferMethodOf(it) === 'eip3009')
  const [cheapest] = (direct.length > 0 ? direct : offers).toSorted((one, other) => (one.amount < other.amount ? -1 : 1))
  return cheapest ?? `It does not accept a signed transfer of the USDC ${till.asset} on chain ${till.chainId}.`
}

const toOffer = (value: unknown, of: Pick<Offer, 'version' | 'resource'>, till: Till): Offer[] => {
  const { data } = requirement.safeParse(value)
  const kept = jsonObject.safeParse(value).data
  const amount = of.version === 2 ? data?.amount : (data?.maxAmountRequired ?? data?.amount)
  if (!data || !kept || amount === undefined || amount === 0n) return []
  if (!isNetwork(data.network, till.chainId) || data.asset !== till.asset) return []
  if (!isSignable(data.extra ?? {}, of.version, till)) return []
  if (JSON.stringify([kept, of.resource]).length > requirementChars) return []
  const words = data.description ?? of.resource?.description
  const description = typeof words === 'string' ? toQuotable(words, descriptionChars) : ''
  const timeoutS = Math.floor(data.maxTimeoutSeconds)
  return [{ ...of, amount, payTo: data.payTo, asset: data.asset, timeoutS, requirement: kept, description }]
}

type Extra = NonNullable<z.infer<typeof requirement>['extra']>

const isSignable = (
  { name, version, assetTransferMethod = 'eip3009' }: Extra,
  of: 1 | 2,
  { domain, hasPermit2 }: Till,
): boolean => {
  // Version 1 has no payments by Permit2.
  if (assetTransferMethod === 'permit2') return hasPermit2 && of === 2
  if (assetTransferMethod !== 'eip3009' || !domain) return false
  return (name ?? domain.name) === domain.name && (version ?? domain.version) === domain.version
}

/** The terms that a user consents to. Any change of them changes the digest. */
export type PurchaseTerms = PaidRequest & { chainId: number; amount: Atomic; asset: Address; payTo: Address } & Pick<
    Offer,
    'requirement'
  >

/** The digest of payee, amount, token, chain, resource, method and body; and of Permit2, which the wallet approves. */
export const toPurchaseDigest = ({ url, method, body, chainId, amount, asset, payTo, requirement }: PurchaseTerms): string => {
  const approval = transferMethodOf({ requirement }) === 'permit2' ? { approves: 'permit2' } : {}
  const terms = { url, method, body: sha256(body ?? ''), chainId, amount: amount.toString(), asset, payTo, ...approval }
  return sha256(canonical(json.parse(terms))).slice(0, digestChars)
}

/** The payment header: PAYMENT-SIGNATURE in version 2, X-PAYMENT in version 1. @param spender contract named for Permit2 */
export const toPaymentHeader = (
  { version, requirement, resource, asset }: Pick<Offer, 'version' | 'requirement' | 'resource' | 'asset'>,
  signed: Authorization,
  spender?: Address,
): [name: string, value: string] => {
  const payload = spender ? toPermit(signed, { asset, spender }) : toSigned(signed)
  if (version === 2)
    return ['payment-signature', toHeader({ x402Version: 2, ...(resource && { resource }), accepted: requirement, payload })]
  const { scheme = 'exact', network = '' } = requirement
  return ['x-payment', toHeader({ x402Version: 1, scheme, network, payload })]
}

const toSigned = ({ signature, ...terms }: Authorization): JsonObject => ({
  signature,
  authorization: Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)])),
})

const toPermit = (it: Authorization, { asset, spender }: { asset: Address; spender: Address }): JsonObject => ({
  signature: it.signature,
  permit2Authorization: {
    ...{ from: it.from, spender, nonce: `${BigInt(it.nonce)}`, deadline: `${it.validBefore}` },
    permitted: { token: asset, amount: `${it.value}` },
    witness: { to: it.to, validAfter: `${it.validAfter}` },
  },
})

/** Maximum validity of a signed authorization, in s. Until it expires, it is uncertain whether the money leaves. */
const maxTimeoutS = 600
/** A seller needs some time between the request and the settlement, in s. */
const minTimeoutS = 30

/** Time for the approval of Permit2 to be mined before the request, in s. */
const approvalS = 120

/** The expiry (epoch s) of an authorization that is agreed to at `now` (epoch ms). */
export const toValidBefore = ({ timeoutS, requirement: of }: Pick<Offer, 'timeoutS' | 'requirement'>, now: number): number =>
  Math.floor(now / 1_000) +
  Math.min(Math.max(timeoutS, minTimeoutS), maxTimeoutS) +
  (transferMethodOf({ requirement: of }) === 'permit2' ? approvalS : 0)

/** Statuses after which the same request is repeated with the same payment, because it may still be served. */
const passing = new Set([202, 408, 409, 425, 429])

/** Whether the seller may answer a repeated paid request differently. */
export const isPassing = (status: number): boolean => status >= 500 || passing.has(status)

const longestPauseMs = 15_000

/** Pause in ms before the next check of a purchase, from the number of checks so far. */
export const toCheckDelayMs = (tries: number): number => Math.min(250 * 2 ** Math.min(tries, 10), longestPauseMs)
