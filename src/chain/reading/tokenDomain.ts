import type { Address } from '../../domain/hex.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { answered, type Node } from '../rpc/node.ts'

export type TokenDomain = { name: string; version: string }

/** Reads the token's EIP-712 name and version from its contract, once, because they never change. */
export const createTokenDomain = (node: Node, token: Address) => {
  let known: TokenDomain | undefined
  return async (): Promise<TokenDomain> => {
    if (known) return known
    const [name, version] = await Promise.all([
      answered(node.readContract({ address: token, abi: testUsdcAbi, functionName: 'name' })),
      answered(node.readContract({ address: token, abi: testUsdcAbi, functionName: 'version' })),
    ])
    known = { name, version }
    return known
  }
}
