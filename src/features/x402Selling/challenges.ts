import { secondMs } from '../../domain/durations.ts'
import {
  type Challenge,
  isPaymentCredential,
  readCredential,
  toAuthenticate,
  toChallenge,
  toChallengePurpose,
  toNonceText,
} from '../../domain/x402/mpp.ts'
import { type Charge, type Payment, readPaymentHeader } from '../../domain/x402/x402.ts'
import type { Refusal } from '../../domain/x402/x402Refusal.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Sale } from './sale.ts'

// The challenges of MPP. They are not stored: the id of one is sealed for its terms, so this service recognises its own.

type Reach = Pick<Deps, 'sealer' | 'clock'>

/** Parses a payment by x402 or by MPP; undefined if it is malformed. */
export const readPayment = (header: string): Payment | undefined =>
  isPaymentCredential(header) ? readCredential(header) : readPaymentHeader(header)

/** The challenge of a charge, as WWW-Authenticate has it; undefined where it cannot be paid by MPP. */
export const issueChallenge = ({ sealer, clock }: Reach, charge: Charge): string | undefined => {
  const challenge = toChallenge(charge, clock.now() + charge.timeoutS * secondMs)
  return sealer && challenge && toAuthenticate({ ...challenge, id: sealer.seal('', toChallengePurpose(challenge)) })
}

type Answering = { payment: Payment; charge: Charge }

/** Why a payment answers no challenge of this service for this charge; undefined if it does, or if it is paid by x402. */
export const challengeRefusal = ({ sealer, clock }: Reach, { transfers }: Sale, of: Answering): Refusal | undefined => {
  const { challenge, authorization } = of.payment
  if (!challenge) return undefined
  const expiresAt = Date.parse(challenge.expires)
  const due = toChallenge(of.charge, expiresAt)
  const isDue = due !== undefined && expiresAt > clock.now() && toChallengePurpose(due) === toChallengePurpose(challenge)
  const isNonce = 'hash' in transfers && transfers.hash(toNonceText(challenge)) === authorization.nonce
  return isDue && isNonce && isOwn(sealer, challenge) ? undefined : 'invalid-challenge'
}

const isOwn = (sealer: Reach['sealer'], challenge: Challenge & { id: string }): boolean => {
  try {
    return sealer?.open(challenge.id, toChallengePurpose(challenge)) === ''
  } catch {
    return false // it was issued for other terms, or by somebody else
  }
}
