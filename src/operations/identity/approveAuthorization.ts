import { z } from 'zod'
import { defaultChainId } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import { type Address, hex, toWallet } from '../../domain/hex.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { chainOf, type Deps, operation } from '../operation.ts'
import { welcome } from '../wallets/readWallet.ts'
import { isSignedBy } from './isSignedBy.ts'

export const walletAddress = z.string().transform((text, context): Address => {
  const wallet = toWallet(text)
  if (wallet) return wallet
  context.addIssue('must be a wallet address')
  return z.NEVER
})
const code = z.string().max(100)
const handOver = z
  .boolean()
  .default(true)
  .describe('Whether GET /v1/status returns a token to the client that started the session')
const namedChain = (number: z.ZodType<number>) =>
  number.optional().describe('The chain that the text names; the one of a wallet that is a contract. Any served chain')
const issued = z.object({ token: z.string(), expires_at: z.string() })

export const readAuthorization = operation({
  name: 'readAuthorization',
  summary: 'The EIP-4361 text that a wallet signs to approve a session.',
  caller: 'anyone',
  input: z.object({ code, address: walletAddress, chain_id: namedChain(z.coerce.number()) }),
  output: z.object({ message: z.string() }),

  async run({ code, address, chain_id }, deps) {
    return { message: await messageOf({ code, wallet: address, chainId: chain_id }, deps) }
  },
})

export const approveAuthorization = operation({
  name: 'approveAuthorization',
  summary: 'Approve a session with the signature of a wallet and get a token; a new user of a local service gets test USDC.',
  caller: 'anyone',
  input: z.object({ code, address: walletAddress, signature: hex, chain_id: namedChain(z.number()), hand_over: handOver }),
  output: issued,

  async run({ code, address, signature, chain_id, hand_over }, deps, caller) {
    const chainId = chain_id ?? defaultChainId
    const message = await messageOf({ code, wallet: address, chainId: chain_id }, deps)
    const isSigned = await isSignedBy({ wallet: address, message, signature, chainId }, deps, caller)
    return approve({ code, wallet: address, signer: isSigned ? address : undefined, handOver: hand_over }, deps)
  },
})

export const approveAsDemo = operation({
  name: 'approveAsDemo',
  summary: 'Approve a session with a demo wallet; the same secret gives the same user (local service only).',
  caller: 'anyone',
  input: z.object({ code, secret: z.string().regex(/^[0-9a-f]{32,64}$/, 'must be 32 to 64 hex digits'), hand_over: handOver }),
  output: issued,

  async run({ code, secret, hand_over }, deps, caller) {
    caller.charge?.(limits.registrationWorkMs)
    if (!deps.settings.local) throw new Problem('demo-wallet-refused')
    // A demo account without a private key, so no signature of it exists. Its secret stays in the browser that created it.
    const wallet = toWallet(`0x${sha256(`demo wallet:${secret}`).slice(0, 40)}`)
    if (!wallet) throw new Problem('invalid-input')
    return approve({ code, wallet, signer: wallet, handOver: hand_over }, deps)
  },
})

type Named = { code: string; wallet: Address; chainId: number | undefined }
/** @throws Problem chain-not-supported when the caller names a chain that is not served */
const messageOf = async ({ code, wallet, chainId }: Named, deps: Deps): Promise<string> => {
  if (chainId !== undefined) chainOf(deps, chainId)
  return deps.identity.messageOf(code, wallet, chainId)
}

const approve = async (of: Parameters<Deps['identity']['approve']>[0], deps: Deps) => {
  const { token, expiresAt } = await deps.identity.approve(of)
  await welcome(of.wallet, deps)
  return { token, expires_at: toIso(expiresAt) }
}
