import { type Charge, isNetwork, type Payment, permit2Address, schemeOf, type TransferMethod } from './x402.ts'
import { minValidS } from './x402Times.ts'

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
  | 'unsupported_payload_type'
  | 'unsupported_scheme'
  | 'upto_facilitator_mismatch'
  | 'invalid-challenge'
  | 'permit2_token_mismatch'
  | 'invalid_permit2_spender'
  | 'invalid_permit2_recipient_mismatch'
  | 'permit2_amount_mismatch'
  | 'permit2_not_yet_valid'
  | 'permit2_deadline_expired'
  | 'invalid_permit2_signature'
  | 'permit2_invalid_nonce'
  | 'permit2_insufficient_balance'
  | 'permit2_allowance_required'

/** The names of the same refusals for each way to sign a transfer. */
const refusals = {
  eip3009: {
    payee: 'invalid_exact_evm_recipient_mismatch',
    amount: 'invalid_exact_evm_payload_authorization_value_mismatch',
    start: 'invalid_exact_evm_payload_authorization_valid_after',
    end: 'invalid_exact_evm_payload_authorization_valid_before',
  },
  permit2: {
    payee: 'invalid_permit2_recipient_mismatch',
    amount: 'permit2_amount_mismatch',
    start: 'permit2_not_yet_valid',
    end: 'permit2_deadline_expired',
  },
} as const satisfies Record<TransferMethod['name'], Record<string, Refusal>>

/** Compares a payment with the charge, without reading the chain; undefined if it matches. @param now epoch ms */
export const refusalOf = (payment: Payment, charge: Charge, now: number): Refusal | undefined => {
  const { to, value, validAfter, validBefore } = payment.authorization
  const second = BigInt(Math.floor(now / 1_000))
  if (!isNetwork(payment.network, charge.chainId)) return 'invalid_exact_evm_network_mismatch'
  const mismatch = methodRefusal(payment, charge)
  if (mismatch) return mismatch
  const named = refusals[charge.method.name]
  if (to !== charge.payTo) return named.payee
  if (value !== charge.amount) return named.amount
  if (validAfter > second) return named.start
  if (validBefore < second + BigInt(minValidS)) return named.end
  return undefined
}

/** A permit names its token and the contract that may use it. The other way to sign names neither. */
const methodRefusal = ({ scheme, permit }: Payment, { method, asset }: Charge): Refusal | undefined => {
  if ((method.name === 'permit2') !== (permit !== undefined)) return 'unsupported_payload_type'
  if (scheme !== schemeOf(method)) return 'unsupported_scheme'
  if (method.name !== 'permit2' || !permit) return undefined
  if (permit.token !== asset) return 'permit2_token_mismatch'
  if (permit.spender !== method.spender) return 'invalid_permit2_spender'
  return permit.facilitator === method.facilitator ? undefined : 'upto_facilitator_mismatch'
}

/** What a payer can do about a refusal: a sentence, or an empty text. @param error an x402 error name */
export const toNextStep = (error: string, { asset, amount }: Pick<Charge, 'asset' | 'amount'>): string =>
  error === 'permit2_allowance_required'
    ? `Approve Permit2 first: send approve(${permit2Address}, ` +
      `${amount}) or a higher amount to the token ${asset} from the paying wallet, then pay again. ` +
      'The approval must cover all paid calls that are under way.'
    : ''
