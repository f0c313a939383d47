import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { Deps } from '../../operations/operation.ts'
import { encoded, type Purpose, readChallenge, spendChallenge } from './challenges.ts'
import { algorithms, loadWebAuthn, partyOf } from './options.ts'
import { type Passkey, passkeyTables } from './ports.ts'

const bytes = (chars: number) =>
  z
    .string()
    .max(chars)
    .regex(/^[\w-]*$/, 'must be base64url')
const common = { id: bytes(1_400), rawId: bytes(1_400), type: z.literal('public-key'), clientExtensionResults: z.object({}) }

/** The answer of an authenticator that made a passkey (WebAuthn level 3, RegistrationResponseJSON). Other members are ignored. */
export const registration = z.object({
  ...common,
  response: z.object({ clientDataJSON: bytes(4_000), attestationObject: bytes(8_000) }),
})

/** The answer of an authenticator that signed (WebAuthn level 3, AuthenticationResponseJSON). Other members are ignored. */
export const assertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(2_000),
    signature: bytes(2_000),
    userHandle: bytes(200).optional(),
  }),
})
export type Assertion = z.infer<typeof assertion>

const mismatch = (cause: unknown) => {
  if (cause instanceof Problem) return cause
  return new Problem('signature-mismatch', 'The passkey’s answer is not valid here: it is for another page, request or passkey.')
}

/**
 * Verifies that an authenticator made a passkey for this page. Attestation is not asked for: any authenticator is taken.
 * @throws Problem signature-mismatch
 */
export const verifyRegistration = async (deps: Deps, purpose: Purpose, answer: z.infer<typeof registration>) => {
  const challenge = readChallenge(deps, purpose, answer.response.clientDataJSON)
  const party = partyOf(deps.settings)
  try {
    const { verifyRegistrationResponse } = await loadWebAuthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer satisfies RegistrationResponseJSON,
      expectedChallenge: encoded(challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo) throw mismatch(undefined)
    const { id, publicKey, counter } = registrationInfo.credential
    return { challenge, credential: { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter } }
  } catch (error) {
    throw mismatch(error)
  }
}

/**
 * Verifies that a known passkey signed a challenge, and uses up the challenge. The counter must have grown.
 * @throws Problem signature-mismatch
 */
export const verifyAssertion = async (
  deps: Deps,
  purpose: Purpose,
  answer: Assertion,
): Promise<{ passkey: Passkey; subject: string }> => {
  const challenge = readChallenge(deps, purpose, answer.response.clientDataJSON)
  const passkey = await passkeyTables(deps.store).passkey(answer.id)
  if (!passkey) throw new Problem('signature-mismatch', 'This passkey is not known here, or was removed.')
  const counter = await newCounterOf(deps, { passkey, answer, expectedChallenge: encoded(challenge) })
  await spendChallenge(deps, challenge)
  if (!(await passkeyTables(deps.store).usePasskey(passkey.id, counter))) throw mismatch(undefined)
  return { passkey, subject: challenge.subject }
}

type Signed = { passkey: Passkey; answer: Assertion; expectedChallenge: string }
const newCounterOf = async (deps: Deps, { passkey, answer, expectedChallenge }: Signed): Promise<number> => {
  const party = partyOf(deps.settings)
  try {
    const { verifyAuthenticationResponse } = await loadWebAuthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer satisfies AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: passkey.id, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: passkey.counter },
    })
    if (verified) return authenticationInfo.newCounter
  } catch (error) {
    throw mismatch(error)
  }
  throw mismatch(undefined)
}
