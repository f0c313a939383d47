import { privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { hex } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import { registrationMessage } from '../domain/net/wireTexts.ts'
import type { Credential } from './profile.ts'

/**
 * Returns the members of a registration's body that prove who registers.
 * @param challenge a text from the platform to sign instead of the fixed one
 * @throws RangeError for a challenge that names another host or wallet, because the signature could be used there
 */
export type Signer = (challenge?: string) => Promise<JsonObject>

/**
 * Creates a signer. With a key it returns the wallet address, the text and its EIP-191 signature. With a token it returns
 * nothing, because the Authorization header is enough.
 * @param platformUrl a challenge must name its host
 * @throws ZodError when the private key is invalid
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

/** Checks the host and the wallet in a challenge (EIP-4361). */
const checkChallenge = (challenge: string, { address, host }: { address: string; host: string }) => {
  const named = parseSiweMessage(challenge)
  if (named.domain !== host)
    throw new RangeError(
      `The challenge is not of ${host}, so it was not signed. Set platformUrl to the public address of the platform.`,
    )
  if (named.address !== address) throw new RangeError('The challenge is for another wallet, so it was not signed.')
}
