import type { Hex } from '../../domain/hex.ts'
import type { PaidCall } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/**
 * The transfer of a failed call that somebody else sent to the chain: the payer signed it, so anyone may send it until it
 * expires. This service cannot return the money. Undefined when the authorization was not used.
 */
export const transferByOthers = async (
  { chains }: Pick<Deps, 'chains'>,
  { chainId, payer: from, nonce, validUntil }: PaidCall,
): Promise<{ transaction: Hex | null } | undefined> => {
  const transfers = chains.get(chainId)?.authorized
  const transaction = await transfers?.transferOf({ from, nonce })
  if (transaction) return { transaction }
  const state = await transfers?.stateOf({ from, nonce, validBefore: BigInt(validUntil) / 1_000n })
  return state === 'used' ? { transaction: null } : undefined
}
