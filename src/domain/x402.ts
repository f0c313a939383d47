import { z } from 'zod'
import { toCaip2 } from './chains.ts'
import { callDeadlines, type Deadlines } from './deadlines.ts'
import { minuteMs } from './durations.ts'
import { type Address, type Hex, hex, toWallet } from './hex.ts'
import { type JsonObject, parseJson } from './json.ts'
import type { Atomic } from './money.ts'

// Messages of x402 (https://github.com/coinbase/x402, specs/x402-specification-v2.md) for the scheme `exact` with EIP-3009.

/** A USDC transfer signed by its payer (EIP-3009). Times are in epoch seconds, as the token compares them. */
export type Authorization = {
  from: Address
  to: Address
  value: Atomic
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
}

/** The price of one call and the payee. `timeoutS` is the maximum time in seconds between the signature and its use. */
export type Charge = {
  url: string
  description: string
  chainId: number
  amount: Atomic
  asset: Address
  payTo: Address
  timeoutS: number
  /** EIP-712 name and version of the token. */
  domain: { name: string; version: string }
  /** Input and output of the resource for x402 directories (Bazaar extension). */
  discovery?: JsonObject | undefined
}

/** Chain names in version 1 of x402; version 2 uses CAIP-2. */
const oldNetworks: Record<number, string> = { 8453: 'base', 84532: 'base-sepolia', 56: 'bsc', 97: 'bsc-testnet' }

/** Whether a text is the name of a chain in either version. */
export const isNetwork = (text: string, chainId: number): boolean => text === toCaip2(chainId) || text === oldNetworks[chainId]

/** Builds the requirements of one accepted payment. They contain the members of versions 1 and 2. */
export const toRequirements = ({ url, description, ...of }: Charge): JsonObject => ({
  scheme: 'exact',
  network: toCaip2(of.chainId),
  amount: of.amount.toString(),
  asset: of.asset,
  payTo: of.payTo,
  maxTimeoutSeconds: of.timeoutS,
  extra: { ...of.domain, assetTransferMethod: 'eip3009' },
  maxAmountRequired: of.amount.toString(),
  resource: url,
  description,
  mimeType: 'application/json',
})

/** Builds the response to a request without a valid payment. @param error an x402 error name or a sentence */
export const toPaymentRequired = (charge: Charge, error: string): JsonObject => ({
  x402Version: 2,
  error,
  resource: { url: charge.url, description: charge.description, mimeType: 'application/json' },
  accepts: [toRequirements(charge)],
  ...(charge.discovery && { extensions: { bazaar: charge.discovery } }),
})

/** Like `toPaymentRequired`, in version 1. */
export const toPaymentRequiredV1 = (charge: Charge, error: string): JsonObject => ({
  x402Version: 1,
  error,
  accepts: [{ ...toRequirements(charge), network: oldNetworks[charge.chainId] ?? toCaip2(charge.chainId) }],
})

/** Encodes JSON as the base64 value of a header. */
export const toHeader = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** An address in any spelling, in lower case. */
export const anAddress = z.string().transform((text, context) => {
  const wallet = toWallet(text)
  if (!wallet) context.addIssue({ code: 'custom', message: 'must be an address' })
  return wallet ?? z.NEVER
})
const whole = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const bytes32 = hex.refine(it => it.length === 66, 'must have 32 bytes').transform(it => it.toLowerCase())

const signed = z.object({
  signature: hex.refine(it => it.length <= 2 + 2 * 2_048 && it.length % 2 === 0, 'is not a signature'),
  authorization: z.object({
    from: anAddress,
    to: anAddress,
    value: whole,
    validAfter: whole,
    validBefore: whole,
    nonce: bytes32.pipe(hex),
  }),
})

const chosen = z.object({ scheme: z.literal('exact'), network: z.string().max(100), asset: anAddress.optional() })
/** A payment in either version: version 1 names scheme and network at the top, version 2 inside `accepted`. */
const payload = z.union([
  z.object({ x402Version: z.literal(2), accepted: chosen.loose(), payload: signed }).transform(it => ({ ...it.accepted, ...it })),
  z.object({ x402Version: z.literal(1), payload: signed }).extend(chosen.shape),
])

export type Payment = { version: 1 | 2; network: string; authorization: Authorization }

/** Parses a payment; undefined if it is malformed or uses another scheme. */
export const toPayment = (value: unknown): Payment | undefined => {
  const { data } = payload.safeParse(value)
  if (!data) return undefined
  const { authorization, signature } = data.payload
  return { version: data.x402Version, network: data.network, authorization: { ...authorization, signature } }
}

/** Maximum length of a payment header. A payment from a contract wallet has about 7,000 characters. */
const headerChars = 8_192

/** Parses the value of PAYMENT-SIGNATURE or X-PAYMENT; undefined if it is malformed. */
export const readPaymentHeader = (value: string): Payment | undefined =>
  value.length > headerChars ? undefined : toPayment(parseJson(Buffer.from(value, 'base64').toString('utf8')))

/** Reasons for refusing a payment, with their x402 names. */
export type Refusal =
  | 'invalid_exact_evm_network_mismatch'
  | 'invalid_exact_evm_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_signature'
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_exact_evm_insufficient_balance'

/** Compares a payment with the charge, without reading the chain; undefined if it matches. @param now epoch ms */
export const refusalOf = ({ network, authorization }: Payment, charge: Charge, now: number): Refusal | undefined => {
  const { to, value, validAfter, validBefore } = authorization
  const second = BigInt(Math.floor(now / 1_000))
  if (!isNetwork(network, charge.chainId)) return 'invalid_exact_evm_network_mismatch'
  if (to !== charge.payTo) return 'invalid_exact_evm_recipient_mismatch'
  if (value !== charge.amount) return 'invalid_exact_evm_payload_authorization_value_mismatch'
  if (validAfter > second) return 'invalid_exact_evm_payload_authorization_valid_after'
  if (validBefore < second + BigInt(minWorkS + settlementS)) return 'invalid_exact_evm_payload_authorization_valid_before'
  return undefined
}

/** Minimum time in s that a payment must leave for the work. */
const minWorkS = 5
/** Time in s that is reserved for the settlement before the authorization expires. */
const settlementS = 15

/**
 * Computes the deadlines of a paid call. Its work ends early enough that the payment can still be settled.
 * @param slaMinutes promised turnaround of the offering
 * @param now epoch ms
 */
export const toCallDeadlines = (
  slaMinutes: number,
  { validBefore }: Pick<Authorization, 'validBefore'>,
  now: number,
): Deadlines => {
  const endsAt = Number(validBefore) * 1_000
  const workUntil = Math.min(endsAt - settlementS * 1_000, now + slaMinutes * minuteMs)
  return callDeadlines(slaMinutes, { now, workUntil, validBefore: endsAt })
}

/** Maximum duration of an authorization in s, because the agent waits for its payment that long. */
const maxTimeoutS = 3_600

/** Whether an offering with this turnaround can be sold as a paid call. */
export const isSoldByCall = (slaMinutes: number): boolean => slaMinutes * 60 <= maxTimeoutS

/** How long a payment authorization must be valid, in s: the promised time up to a maximum, and time for the settlement. */
export const toTimeoutS = (slaMinutes: number): number => Math.min(slaMinutes * 60, maxTimeoutS) + minWorkS + settlementS
