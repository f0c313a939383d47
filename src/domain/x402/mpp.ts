import { z } from 'zod'
import { toCaip2 } from '../chains/chains.ts'
import { canonical, type Json, type JsonObject, parseJson, sha256 } from '../json.ts'
import { anAddress, bytes32, type Charge, type Payment, signatureText, uint256 } from './x402.ts'

// The EVM charge of MPP (draft-httpauth-payment; `mppx`): the same transfer as `exact` with EIP-3009. A challenge in
// WWW-Authenticate asks for it, and its nonce is a hash of that challenge.

/** A challenge without its id. `request` is base64url of canonical JSON, `expires` ISO 8601. */
export type Challenge = { realm: string; method: 'evm'; intent: 'charge'; request: string; expires: string }
export type IssuedChallenge = Challenge & { id: string }

const encode = (value: JsonObject): string => Buffer.from(canonical(value)).toString('base64url')

/** What is asked of a payer; undefined where the token has no signed transfers. @param expiresAt epoch ms */
export const toChallenge = (charge: Charge, expiresAt: number): Challenge | undefined => {
  const { amount, asset, chainId, method, payTo, url } = charge
  if (method.name !== 'eip3009') return undefined
  const methodDetails = { chainId, credentialTypes: ['authorization'] }
  const request = encode({ amount: `${amount}`, currency: asset, recipient: payTo, methodDetails })
  return { realm: new URL(url).host, method: 'evm', intent: 'charge', request, expires: new Date(expiresAt).toISOString() }
}

/** What the id of a challenge is bound to, so that only this service can issue it. */
export const toChallengePurpose = ({ realm, method, intent, request, expires }: Challenge): string =>
  `mpp:${sha256([realm, method, intent, request, expires].join('|'))}`

/** The text whose Keccak-256 is the nonce of the signed transfer. */
export const toNonceText = ({ id, realm }: IssuedChallenge): string => `${id}${realm}`

/** The value of WWW-Authenticate. No member has a quotation mark or a line break. */
export const toAuthenticate = ({ id, realm, method, intent, request, expires }: IssuedChallenge): string =>
  `Payment ${Object.entries({ id, realm, method, intent, request, expires })
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`

const text = z.string().max(4_000)
const credential = z.object({
  challenge: z.object({
    id: text,
    realm: text,
    method: z.literal('evm'),
    intent: z.literal('charge'),
    request: text,
    expires: z.iso.datetime(),
  }),
  payload: z.object({
    type: z.literal('authorization'),
    ...{ from: anAddress, to: anAddress, value: uint256, validAfter: uint256, validBefore: uint256 },
    nonce: bytes32,
    signature: signatureText,
  }),
})
const asked = z.looseObject({ methodDetails: z.looseObject({ chainId: z.number().int() }) })

/** Whether a header `Authorization` has a payment instead of a token. */
export const isPaymentCredential = (header: string): boolean => /^Payment\s/i.test(header)

/** Parses the value of `Authorization: Payment`; undefined if it is malformed, or pays in another way. */
export const readCredential = (header: string): Payment | undefined => {
  const { data } = credential.safeParse(fromBase64(header.replace(/^Payment\s+/i, '')))
  const details = asked.safeParse(data && fromBase64(data.challenge.request)).data?.methodDetails
  if (!data || !details) return undefined
  const { type: _type, ...authorization } = data.payload
  return { version: 2, scheme: 'exact', network: toCaip2(details.chainId), authorization, challenge: data.challenge }
}

const fromBase64 = (value: string): Json | undefined => parseJson(Buffer.from(value, 'base64url').toString('utf8'))

/** The value of Payment-Receipt. @param at epoch ms */
export const toPaymentReceipt = (transaction: string, at: number): string =>
  encode({ method: 'evm', reference: transaction, status: 'success', timestamp: new Date(at).toISOString() })
