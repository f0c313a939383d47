import { isIP } from 'node:net'
import type { Settings } from '../../operations/deps.ts'

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
export const canUsePasskeys = (settings: Pick<Settings, 'publicUrl'>): boolean => {
  const { id, origin } = partyOf(settings)
  return isIP(id.replace(/^\[|\]$/g, '')) === 0 && (origin.startsWith('https:') || id === 'localhost')
}
