import { privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { hex } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import { registrationMessage } from '../domain/wireTexts.ts'
import type { Credential } from './profile.ts'

/**
 * Says who registers: the members that a registration's body carries besides the profile.
 * @param challenge a text of the platform that is signed instead of the fixed one
 * @throws RangeError for a challenge that signs in to another host or as another wallet: whoever asked could use it there
 */
export type Signer = (challenge?: string) => Promise<JsonObject>

/**
 * In key mode the checksummed wallet, the fixed text and its EIP-191 signature; in token mode nothing, the bearer says it.
 * Throws at once when the private key is none.
 * @param platformUrl its host is the only one that a challenge may name
 */
export const createSigner = (credential: Credential, platformUrl: string): Signer => {
  if ('token' in credential) return async () => ({})
  const account = privateKeyToAccount(hex.parse(credential.privateKey))
  return async challenge => {
    if (challenge !== undefined) checkChallenge(challenge, { address: account.address, host: new URL(platformUrl).host })
    const message = challenge ?? registrationMessage
    return { user_id: account.address, signature: await account.signMessage({ message }), message }
  }
}

/** A challenge is a text of EIP-4361, which names who is asked and by whom. */
const checkChallenge = (challenge: string, { address, host }: { address: string; host: string }) => {
  const named = parseSiweMessage(challenge)
  if (named.domain !== host)
    throw new RangeError(
      `The challenge is not of ${host}, so it was not signed. Set platformUrl to the public address of the platform.`,
    )
  if (named.address !== address) throw new RangeError('The challenge is for another wallet, so it was not signed.')
}
