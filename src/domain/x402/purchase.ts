import { z } from 'zod'
import { digestChars } from '../consent/digest.ts'
import { type Address, toWallet } from '../hex.ts'
import { canonical, isObject, type JsonObject, json, jsonObject, parseJson, sha256 } from '../json.ts'
import type { Atomic } from '../money/money.ts'
import { toQuotable } from '../text/quotableText.ts'
import { toUnfitText, toUnreadText } from './unpayable.ts'
import { type Authorization, anAddress, isNetwork, type Scheme, schemes, type TransferMethod, toHeader } from './x402.ts'

// The buyer's side of x402 (versions 1 and 2, scheme `exact` with EIP-3009 or Permit2, and `upto`): the seller's requirement, and
// the payment.

/** The request that a purchase pays for. `body` is the exact text that is sent. */
export type PaidRequest = { url: string; method: 'GET' | 'POST'; body: string | undefined }

/** One accepted way to pay that fits the chain, with the seller's requirement, which is sent back unchanged. */
export type Offer = {
  version: 1 | 2
  /** The price; in the scheme `upto` the most that the seller may take. */
  amount: Atomic
  payTo: Address
  asset: Address
  /** The validity of the authorization that the seller requests, in s. */
  timeoutS: number
  requirement: JsonObject
  resource: JsonObject | undefined
  /** The seller's extensions (version 2), which are sent back with the payment. */
  extensions: JsonObject | undefined
  /** The seller's description, which is untrusted text. */
  description: string
}

const whole = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt)
const requirement = z.looseObject({
  scheme: z.enum(schemes),
  network: z.string().max(100),
  amount: whole.optional(),
  maxAmountRequired: whole.optional(),
  asset: anAddress,
  payTo: anAddress,
  maxTimeoutSeconds: z.number().positive().max(1e9),
  description: z.string().optional(),
  extra: z
    .looseObject({ name: z.string(), version: z.string(), assetTransferMethod: z.string(), facilitatorAddress: anAddress })
    .partial()
    .nullish(),
})
const required = z.looseObject({
  x402Version: z.union([z.literal(1), z.literal(2)]),
  accepts: z.array(z.unknown()).max(50),
  resource: jsonObject.nullish(),
  extensions: jsonObject.nullish().catch(undefined),
})

/** The key of the intent that approves Permit2 for a purchase. */
export const toApprovalKey = (purchaseId: string): string => `purchase:${purchaseId}:approve`

/** Maximum length of a requirement as JSON, because it is stored and sent back. */
const requirementChars = 4_000
/** Maximum length of the extensions as JSON. The payment header has them as base64, and servers take headers of 16 KB in all. */
const extensionChars = 7_000
const descriptionChars = 300

/**
 * The chain and the token of the payment. `domain`: the token's EIP-712 domain, if it has signed transfers. `hasPermit2` and
 * `hasUpto`: whether a payment can be signed for Permit2 in the scheme `exact`, and in the scheme `upto`.
 */
export type Till = {
  chainId: number
  asset: Address
  domain: { name: string; version: string } | undefined
  hasPermit2: boolean
  hasUpto: boolean
}

/** How a payment is signed: for the token (EIP-3009), or for Permit2, which the wallet approves before. */
export const transferMethodOf = ({ requirement: { scheme, extra } }: Pick<Offer, 'requirement'>): TransferMethod['name'] =>
  scheme === 'upto' || (isObject(extra) && extra.assetTransferMethod === 'permit2') ? 'permit2' : 'eip3009'

/** Who may take at most the amount, in the scheme `upto`; undefined in the scheme `exact`. */
export const facilitatorIn = ({ requirement: { scheme, extra } }: Pick<Offer, 'requirement'>): Address | undefined => {
  const named = scheme === 'upto' && isObject(extra) ? extra.facilitatorAddress : undefined
  return typeof named === 'string' ? toWallet(named) : undefined
}

export const schemeIn = (it: Pick<Offer, 'requirement'>): Scheme => (facilitatorIn(it) ? 'upto' : 'exact')

/**
 * Chooses a way to pay in a 402 answer that fits the chain and its USDC: the cheapest one, by EIP-3009 where that is accepted.
 * The scheme `upto` is chosen where no other is accepted.
 * @param required.header value of PAYMENT-REQUIRED (version 2)
 * @param required.challenge value of WWW-Authenticate
 * @returns a sentence with the reason where nothing fits
 */
export const chooseOffer = ({ header, challenge, body }: Answered402, till: Till): Offer | string => {
  const inHeader = header === undefined ? undefined : parseJson(Buffer.from(header, 'base64').toString('utf8'))
  const { data } = required.safeParse(inHeader ?? parseJson(body))
  if (!data) return toUnreadText(challenge)
  const { x402Version: version, resource } = data
  const extensions = version === 2 ? (data.extensions ?? undefined) : undefined
  if (JSON.stringify(extensions ?? {}).length > extensionChars)
    return (
      `Its extensions have more than ${extensionChars.toLocaleString('en-US')} characters, ` +
      'too many to send back with a payment.'
    )
  const offers = data.accepts.flatMap(it => toOffer(it, { version, resource: resource ?? undefined, extensions }, till))
  const [best] = [eip3009, permit2, upto].map(is => offers.filter(is)).filter(it => it.length > 0)
  const [cheapest] = (best ?? []).toSorted((one, other) => (one.amount < other.amount ? -1 : 1))
  return cheapest ?? toUnfitText(data.accepts, till)
}

type Required = Pick<Offer, 'requirement'>
const upto = (it: Required) => facilitatorIn(it) !== undefined
const eip3009 = (it: Required) => transferMethodOf(it) === 'eip3009'
const permit2 = (it: Required) => !upto(it) && !eip3009(it)

type Answered402 = { header: string | undefined; challenge: string | undefined; body: string }

const toOffer = (value: unknown, of: Pick<Offer, 'version' | 'resource' | 'extensions'>, till: Till): Offer[] => {
  const { data } = requirement.safeParse(value)
  const kept = jsonObject.safeParse(value).data
  const amount = of.version === 2 ? data?.amount : (data?.maxAmountRequired ?? data?.amount)
  if (!data || !kept || amount === undefined || amount === 0n) return []
  if (!isNetwork(data.network, till.chainId) || data.asset !== till.asset) return []
  if (!isSignable(data, of.version, till)) return []
  if (JSON.stringify([kept, of.resource]).length > requirementChars) return []
  const words = data.description ?? of.resource?.description
  const description = typeof words === 'string' ? toQuotable(words, descriptionChars) : ''
  const timeoutS = Math.floor(data.maxTimeoutSeconds)
  return [{ ...of, amount, payTo: data.payTo, asset: data.asset, timeoutS, requirement: kept, description }]
}

const isSignable = (
  { scheme, extra }: z.infer<typeof requirement>,
  of: 1 | 2,
  { domain, hasPermit2, hasUpto }: Till,
): boolean => {
  const { name, version, assetTransferMethod = scheme === 'upto' ? 'permit2' : 'eip3009', facilitatorAddress } = extra ?? {}
  // Version 1 has no payments by Permit2.
  if (scheme === 'upto') return hasUpto && of === 2 && assetTransferMethod === 'permit2' && facilitatorAddress !== undefined
  if (assetTransferMethod === 'permit2') return hasPermit2 && of === 2
  if (assetTransferMethod !== 'eip3009' || !domain) return false
  return (name ?? domain.name) === domain.name && (version ?? domain.version) === domain.version
}

/** The terms that a user consents to. Any change of them changes the digest. */
export type PurchaseTerms = PaidRequest & { chainId: number; amount: Atomic; asset: Address; payTo: Address } & Pick<
    Offer,
    'requirement'
  >

/**
 * The digest of payee, amount, token, chain, resource, method and body. It also covers Permit2, where the wallet approves it, and
 * in the scheme `upto` who takes at most the amount.
 */
export const toPurchaseDigest = ({ url, method, body, chainId, amount, asset, payTo, requirement }: PurchaseTerms): string => {
  const taker = facilitatorIn({ requirement })
  const approval = {
    ...(transferMethodOf({ requirement }) === 'permit2' && { approves: 'permit2' }),
    ...(taker && { scheme: 'upto', facilitator: taker }),
  }
  const terms = { url, method, body: sha256(body ?? ''), chainId, amount: amount.toString(), asset, payTo, ...approval }
  return sha256(canonical(json.parse(terms))).slice(0, digestChars)
}

type Payable = Pick<Offer, 'version' | 'requirement' | 'resource' | 'extensions' | 'asset'> & { id: string }

/** The payment header: PAYMENT-SIGNATURE in version 2, X-PAYMENT in version 1. @param spender contract named for Permit2 */
export const toPaymentHeader = (
  { id, version, requirement, resource, extensions, asset }: Payable,
  signed: Authorization,
  spender?: Address,
): [name: string, value: string] => {
  const payload = toPayload(signed, { asset, spender, facilitator: facilitatorIn({ requirement }) })
  const given = { ...(resource && { resource }), ...(extensions && { extensions: toEchoed(extensions, id) }) }
  if (version === 2) return ['payment-signature', toHeader({ x402Version: 2, ...given, accepted: requirement, payload })]
  const { scheme = 'exact', network = '' } = requirement
  return ['x-payment', toHeader({ x402Version: 1, scheme, network, payload })]
}

const identifier = 'payment-identifier'

/**
 * The seller's extensions, as the specification of version 2 requires in a payment. A seller that names payment-identifier gets
 * the id of the purchase, so that it recognises a repeated request (specs/extensions/payment_identifier.md).
 */
const toEchoed = (extensions: JsonObject, id: string): JsonObject => {
  const asked = extensions[identifier]
  if (!isObject(asked) || !isObject(asked.info)) return extensions
  return { ...extensions, [identifier]: { ...asked, info: { ...asked.info, id } } }
}

type Permit = { asset: Address; spender: Address | undefined; facilitator?: Address | undefined }

/**
 * The signed transfer in a payment.
 * @param of.spender contract named for Permit2
 * @param of.facilitator only in the scheme `upto`
 */
export const toPayload = (signed: Authorization, { spender, ...of }: Permit): JsonObject =>
  spender ? toPermit(signed, { ...of, spender }) : toSigned(signed)

const toSigned = ({ signature, ...terms }: Authorization): JsonObject => ({
  signature,
  authorization: Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)])),
})

const toPermit = (it: Authorization, { asset, spender, facilitator }: Permit & { spender: Address }): JsonObject => ({
  signature: it.signature,
  permit2Authorization: {
    from: it.from,
    spender,
    nonce: `${BigInt(it.nonce)}`,
    deadline: `${it.validBefore}`,
    permitted: { token: asset, amount: `${it.value}` },
    witness: { to: it.to, ...(facilitator && { facilitator }), validAfter: `${it.validAfter}` },
  },
})

export const isGood = (status: number): boolean => status >= 200 && status < 300

/** Whether a seller served the request and may take nothing of the payment, in the scheme `upto`. */
export const isFree = ({ status, requirement }: Pick<Offer, 'requirement'> & { status: number | undefined }): boolean =>
  facilitatorIn({ requirement }) !== undefined && status !== undefined && isGood(status)

type Answering = { state: string; status: number | undefined; reason: string }

/**
 * Whether the seller's final answer was no success, and its payment was found unused after it, which the reason says. The user is
 * told so at once; the authorization may still be used until it expires.
 */
export const isRefused = ({ state, status, reason }: Answering): boolean =>
  state === 'paying' && status !== undefined && !isGood(status) && reason !== ''

export const isUnderWay = (it: Answering): boolean => it.state === 'paying' && !isRefused(it)

/** Maximum validity of a signed authorization, in s. Until it expires, it is uncertain whether the money leaves. */
const maxTimeoutS = 600
/** A seller needs some time between the request and the settlement, in s. */
const minTimeoutS = 30

/** Time for the approval of Permit2 to be mined before the request, in s. */
const approvalS = 120

/** Minutes after its yes at which a payment is made or can no longer be made. */
export const purchaseMinutes = (maxTimeoutS + approvalS) / 60

/** The expiry (epoch s) of an authorization that is agreed to at `now` (epoch ms). */
export const toValidBefore = ({ timeoutS, requirement: of }: Pick<Offer, 'timeoutS' | 'requirement'>, now: number): number =>
  Math.floor(now / 1_000) +
  Math.min(Math.max(timeoutS, minTimeoutS), maxTimeoutS) +
  (transferMethodOf({ requirement: of }) === 'permit2' ? approvalS : 0)

/** Statuses after which the same request is repeated with the same payment, because it may still be served. */
const passing = new Set([202, 408, 409, 425, 429])

/** Whether the seller may answer a repeated paid request differently. */
export const isPassing = ({ status, isUnsettled = false }: { status: number; isUnsettled?: boolean }): boolean =>
  (status >= 500 && !isUnsettled) || passing.has(status)

const longestPauseMs = 15_000

/** Pause in ms before the next check of a purchase, from the number of checks so far. */
export const toCheckDelayMs = (tries: number): number => Math.min(250 * 2 ** Math.min(tries, 10), longestPauseMs)
