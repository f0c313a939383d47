import { privateKeyToAccount } from 'viem/accounts'
import { hex } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import { registrationMessage } from '../domain/wireTexts.ts'
import type { Credential } from './profile.ts'

/**
 * Says who registers: the members that a registration's body carries besides the profile.
 * @param challenge a text of the platform that is signed instead of the fixed one
 */
export type Signer = (challenge?: string) => Promise<JsonObject>

/**
 * In key mode the checksummed wallet, the fixed text and its EIP-191 signature; in token mode nothing, the bearer says it.
 * Throws at once when the private key is none.
 */
export const createSigner = (credential: Credential): Signer => {
  if ('token' in credential) return async () => ({})
  const account = privateKeyToAccount(hex.parse(credential.privateKey))
  return async (message = registrationMessage) => ({
    user_id: account.address,
    signature: await account.signMessage({ message }),
    message,
  })
}
