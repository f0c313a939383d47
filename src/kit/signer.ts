import { privateKeyToAccount } from 'viem/accounts'
import { hex } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import { registrationMessage } from '../domain/wireTexts.ts'
import type { Credential } from './profile.ts'

/** Says who registers: the members that a registration's body carries besides the profile. */
export type Signer = () => Promise<JsonObject>

/**
 * In key mode the checksummed wallet, the fixed text and its EIP-191 signature; in token mode nothing, the bearer says it.
 * Throws at once when the private key is none.
 */
export const createSigner = (credential: Credential): Signer => {
  if ('token' in credential) return async () => ({})
  const account = privateKeyToAccount(hex.parse(credential.privateKey))
  return async () => ({
    user_id: account.address,
    signature: await account.signMessage({ message: registrationMessage }),
    message: registrationMessage,
  })
}
