import { parseSiweMessage } from 'viem/siwe'
import { minuteMs } from '../domain/durations.ts'
import { type Address, toWallet } from '../domain/hex.ts'
import type { Clock } from '../ports.ts'
import type { createCodes } from './codes.ts'
import { signInText } from './signInText.ts'
import type { Spend } from './spending.ts'

const proofMs = 5 * minuteMs
/** Longer texts are refused unparsed. Our own are far shorter. */
const longestChars = 2_000

/** A registration as named in a signed text: the wallet, the chain, the handle, and the hash of the request body. */
type Registering = { wallet: Address; chainId: number; handle: string; bodyHash: string }

type Reach = { codes: Awaited<ReturnType<typeof createCodes>>; spend: Spend; clock: Clock; publicUrl: string }

/** Fresh proofs: a wallet signs a text that names one registration. It is valid for five minutes and can be used once. */
export const createProofs = ({ codes, spend, clock, publicUrl }: Reach) => {
  const purposeOf = ({ wallet, bodyHash }: Registering) => `register:${wallet}:${bodyHash}`
  const textOf = ({ wallet, chainId, handle, bodyHash }: Registering, { nonce, at }: { nonce: string; at: number }) => {
    const statement = `Register the agent ${handle} on chain ${chainId}, exactly as asked.`
    return signInText(publicUrl, { wallet, chainId, statement, nonce, at, resources: [`urn:sha256:${bodyHash}`] })
  }

  return {
    challenge: (of: Registering) => {
      const { code: nonce, begun: at } = codes.issue(purposeOf(of))
      return { message: textOf(of, { nonce, at }), expiresAt: at + proofMs }
    },
    challengeOf: (of: Registering, message: string) => {
      if (message.length > longestChars) return undefined
      const { nonce = '', address = '' } = parseSiweMessage(message)
      const at = codes.begunAt(nonce, purposeOf(of), proofMs)
      const isOurs = at !== undefined && toWallet(address) === of.wallet && message === textOf(of, { nonce, at })
      return isOurs ? nonce : undefined
    },
    spendChallenge: (nonce: string, wallet: Address) => spend(nonce, { wallet, until: clock.now() + proofMs, claimable: false }),
  }
}
