import { z } from 'zod'
import { toCaip2 } from '../chains/chains.ts'
import { type Address, type Hex, hex, toWallet } from '../hex.ts'
import { isObject, type JsonObject, parseJson } from '../json.ts'
import type { Atomic } from '../money/money.ts'

// Messages of x402 (https://github.com/coinbase/x402, specs/x402-specification-v2.md) for the scheme `exact` with EIP-3009 or
// Permit2, and for `upto` with Permit2.

/** Permit2 (github.com/Uniswap/permit2). It has the same address on every chain. */
export const permit2Address: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/**
 * A USDC transfer signed by its payer, for the token (EIP-3009) or for Permit2. Times are in epoch seconds, as the contracts
 * compare them.
 */
export type Authorization = {
  from: Address
  to: Address
  value: Atomic
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
}

export const schemes = ['exact', 'upto'] as const
export type Scheme = (typeof schemes)[number]

/**
 * How a payer signs a transfer: for the token, in its EIP-712 domain, or for Permit2, which lets `spender` move the token.
 * `facilitator`: only in the scheme `upto`, the one wallet that may settle the payment.
 */
export type TransferMethod =
  | { name: 'eip3009'; domain: { name: string; version: string } }
  | { name: 'permit2'; spender: Address; facilitator?: Address | undefined }

export const schemeOf = (method: TransferMethod): Scheme => (facilitatorOf(method) ? 'upto' : 'exact')
export const facilitatorOf = (method: TransferMethod): Address | undefined =>
  method.name === 'permit2' ? method.facilitator : undefined

/**
 * The price of one call, in the scheme `upto` the most that it costs, and the payee. `timeoutS` is the maximum time in seconds
 * between the signature and its use.
 */
export type Charge = {
  url: string
  description: string
  chainId: number
  amount: Atomic
  asset: Address
  payTo: Address
  timeoutS: number
  method: TransferMethod
  /** Input and output of the resource for x402 directories (Bazaar extension). */
  discovery?: JsonObject | undefined
}

/** Chain names in version 1 of x402; version 2 uses CAIP-2. */
const oldNetworks: Record<number, string> = { 8453: 'base', 84532: 'base-sepolia', 56: 'bsc', 97: 'bsc-testnet' }

/** Whether a text is the name of a chain in either version. */
export const isNetwork = (text: string, chainId: number): boolean => text === toCaip2(chainId) || text === oldNetworks[chainId]

/** Builds the requirements of one accepted payment in version 2. */
export const toTerms = (of: Charge): JsonObject => ({
  scheme: schemeOf(of.method),
  network: toCaip2(of.chainId),
  amount: of.amount.toString(),
  asset: of.asset,
  payTo: of.payTo,
  maxTimeoutSeconds: of.timeoutS,
  extra: toExtra(of.method),
})

const toExtra = (method: TransferMethod): JsonObject => {
  const { name: assetTransferMethod } = method
  if (method.name === 'eip3009') return { ...method.domain, assetTransferMethod }
  return { assetTransferMethod, ...(method.facilitator && { facilitatorAddress: method.facilitator }) }
}

export const toRequirements = (of: Charge): JsonObject => ({
  ...toTerms(of),
  maxAmountRequired: of.amount.toString(),
  resource: of.url,
  description: of.description,
  mimeType: 'application/json',
})

export const toResource = ({ url, description }: Charge): JsonObject => ({ url, description, mimeType: 'application/json' })

/** Builds the response to a request without a valid payment. @param error an x402 error name or a sentence */
export const toPaymentRequired = (charge: Charge, error: string, extensions: JsonObject = {}): JsonObject => ({
  x402Version: 2,
  error,
  resource: toResource(charge),
  accepts: [toRequirements(charge)],
  ...((charge.discovery || Object.keys(extensions).length > 0) && {
    extensions: { ...(charge.discovery && { bazaar: charge.discovery }), ...extensions },
  }),
})

/**
 * Maximum characters of the extensions in the header of a 402 answer. A client sends them back with its payment, and clients and
 * proxies take headers of 16 KB in all.
 */
const headerExtensionChars = 4_000

/** The header value of a 402 answer. Long extensions are in its body and in the list of resources only. */
export const toRequiredHeader = (required: JsonObject): string => {
  const { extensions, ...rest } = required
  if (!isObject(extensions) || JSON.stringify(extensions).length <= headerExtensionChars) return toHeader(required)
  const { bazaar: _long, ...others } = extensions
  return toHeader(Object.keys(others).length > 0 ? { ...rest, extensions: others } : rest)
}

/** Like `toPaymentRequired`, in version 1. */
export const toPaymentRequiredV1 = (charge: Charge, error: string): JsonObject => ({
  x402Version: 1,
  error,
  accepts: [{ ...toRequirements(charge), network: oldNetworks[charge.chainId] ?? toCaip2(charge.chainId) }],
})

export const toHeader = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** An address in any spelling, in lower case. */
export const anAddress = z.string().transform((text, context) => {
  const wallet = toWallet(text)
  if (!wallet) context.addIssue({ code: 'custom', message: 'must be an address' })
  return wallet ?? z.NEVER
})
export const uint256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine(it => it < 2n ** 256n, 'must have 32 bytes')
export const bytes32 = hex
  .refine(it => it.length === 66, 'must have 32 bytes')
  .transform(it => it.toLowerCase())
  .pipe(hex)
export const signatureText = hex.refine(it => it.length <= 2 + 2 * 2_048 && it.length % 2 === 0, 'is not a signature')

const signed = z.object({
  signature: signatureText,
  authorization: z.object({
    from: anAddress,
    to: anAddress,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: bytes32,
  }),
})

/**
 * A transfer signed for Permit2. Its witness binds the payee, and in the scheme `upto` who may settle it (permit2WitnessTypes and
 * uptoPermit2WitnessTypes of @x402/evm).
 */
const permitted = z.object({
  signature: signatureText,
  permit2Authorization: z.object({
    from: anAddress,
    permitted: z.object({ token: anAddress, amount: uint256 }),
    spender: anAddress,
    nonce: uint256,
    deadline: uint256,
    witness: z.object({ to: anAddress, facilitator: anAddress.optional(), validAfter: uint256 }),
  }),
})

const chosen = z.object({ scheme: z.enum(schemes), network: z.string().max(100), asset: anAddress.optional() })
/** A payment in either version: version 1 names scheme and network at the top, version 2 inside `accepted`. */
const payload = z.union([
  z
    .object({ x402Version: z.literal(2), accepted: chosen.loose(), payload: z.union([signed, permitted]) })
    .transform(it => ({ ...it.accepted, ...it })),
  z.object({ x402Version: z.literal(1), payload: signed }).extend(chosen.shape),
])

export type Payment = {
  version: 1 | 2
  scheme: Scheme
  network: string
  authorization: Authorization
  /** Only of a transfer signed for Permit2: its token, the contract that may send it, and who may call that. */
  permit?: { token: Address; spender: Address; facilitator: Address | undefined }
  /** Only of a payment by MPP: the challenge that it answers. */
  challenge?: { id: string; realm: string; method: 'evm'; intent: 'charge'; request: string; expires: string }
}

/** Parses a payment; undefined if it is malformed or uses another scheme. */
export const toPayment = (value: unknown): Payment | undefined => {
  const { data } = payload.safeParse(value)
  if (!data) return undefined
  return { version: data.x402Version, scheme: data.scheme, network: data.network, ...toTransfer(data.payload) }
}

const toTransfer = (
  of: z.infer<typeof signed> | z.infer<typeof permitted>,
): Pick<Payment, 'authorization'> & Pick<Payment, 'permit'> => {
  if ('authorization' in of) return { authorization: { ...of.authorization, signature: of.signature } }
  const { from, permitted: what, spender, nonce, deadline, witness } = of.permit2Authorization
  const authorization = {
    from,
    to: witness.to,
    value: what.amount,
    validAfter: witness.validAfter,
    validBefore: deadline,
    nonce: toWord(nonce),
    signature: of.signature,
  }
  return { authorization, permit: { token: what.token, spender, facilitator: witness.facilitator } }
}

const toWord = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** Maximum length of a payment header. One from a contract wallet, with the longest extensions, has about 13,000 characters. */
const headerChars = 14_000

/** Parses the value of PAYMENT-SIGNATURE or X-PAYMENT; undefined if it is malformed. */
export const readPaymentHeader = (value: string): Payment | undefined =>
  value.length > headerChars ? undefined : toPayment(parseJson(Buffer.from(value, 'base64').toString('utf8')))
