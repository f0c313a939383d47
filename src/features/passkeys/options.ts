import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { Settings } from '../../operations/deps.ts'
import { type Deps, operation } from '../../operations/operation.ts'
import { makeChallenge } from './challenges.ts'

/** Loads the library at its first use, because it takes as long as the rest of a start. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256, as COSE numbers them: what authenticators in use sign with. */
export const algorithms = [-8, -7, -257]

/**
 * The relying party of WebAuthn: its id, and the origin from which its passkeys are used. An IP address cannot be one, so on a
 * machine of one's own passkeys work under `localhost`, which names the same service.
 */
export const partyOf = ({ publicUrl }: Pick<Settings, 'publicUrl'>): { id: string; origin: string; name: string } => {
  const url = new URL(publicUrl)
  const isLoopback = url.hostname === '127.0.0.1' || url.hostname === '[::1]'
  if (isLoopback) url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin, name: 'Agent market' }
}

/** Whether passkeys can work under the public address: a name, with https unless it is this machine. */
const canUsePasskeys = (settings: Pick<Settings, 'publicUrl'>): boolean => {
  const { id, origin } = partyOf(settings)
  return isIP(id.replace(/^\[|\]$/g, '')) === 0 && (origin.startsWith('https:') || id === 'localhost')
}

export const handleCount = 16

export const checkPlace = ({ settings }: Deps) => {
  if (!canUsePasskeys(settings))
    throw new Problem('method-not-offered', 'Passkeys need a public address with a name and https, or localhost.')
}

type NewOptions = { subject: string; handle: Uint8Array<ArrayBuffer>; purpose: 'sign-up' | 'add'; known: string[] }

/** Options with which a browser makes a discoverable passkey, so that nobody types a name to sign in. */
export const toCreation = async (deps: Deps, of: NewOptions): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const party = partyOf(deps.settings)
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: party.id,
    userDisplayName: party.name,
    userID: of.handle,
    challenge: makeChallenge(deps, of.purpose, of.subject),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: of.known.map(id => ({ id })),
  })
}

/** What the browser is given (WebAuthn level 3, section 5.4 and 5.5). Its members are those of the standard. */
export const options = z.looseObject({ challenge: z.string() })

export const readPasskeyOptions = operation({
  name: 'readPasskeyOptions',
  summary: 'What a browser needs to make a passkey (`sign-up`) or to sign in with one (`sign-in`). Valid for five minutes, once.',
  caller: 'anyone',
  input: z.object({ purpose: z.enum(['sign-up', 'sign-in']) }),
  output: z.object({ options }),

  async run({ purpose }, deps) {
    checkPlace(deps)
    const handle = new Uint8Array(randomBytes(handleCount))
    if (purpose === 'sign-up') return { options: { ...(await toCreation(deps, { subject: '', handle, purpose, known: [] })) } }
    return { options: { ...(await toRequest(deps, makeChallenge(deps, 'sign-in'), [])) } }
  },
})

/** Options with which one of some passkeys signs a challenge; any passkey when none is named. */
export const toRequest = async (deps: Deps, challenge: string, ids: string[]): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: partyOf(deps.settings).id,
    challenge,
    userVerification: 'required',
    allowCredentials: ids.map(id => ({ id })),
  })
}
