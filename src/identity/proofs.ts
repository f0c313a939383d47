import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { getAddress } from 'viem/utils'
import { minuteMs } from '../domain/durations.ts'
import { type Address, toWallet } from '../domain/hex.ts'
import type { Clock } from '../ports.ts'
import type { createCodes } from './codes.ts'
import type { Spend } from './spending.ts'

type Said = { wallet: Address; chainId: number; statement: string; nonce: string; at: number; resources?: string[] }

/** A sign-in text that is valid for this service only (EIP-4361). `at` is in epoch ms. */
export const signInText = (publicUrl: string, { wallet, at, resources, ...said }: Said): string =>
  createSiweMessage({
    ...said,
    domain: new URL(publicUrl).host,
    address: getAddress(wallet),
    uri: publicUrl,
    version: '1',
    issuedAt: new Date(at),
    ...(resources && { resources }),
  })

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
