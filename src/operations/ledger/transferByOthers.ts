import type { Hex } from '../../domain/hex.ts'
import type { AuthorizedTransfers, Chain, PaidCall, PermittedTransfers } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/** The signed transfers by which a paid call is settled. A settlement through the proxy of x402 is signed for Permit2. */
export const transfersOf = (
  chain: Chain | undefined,
  { settlement }: Pick<PaidCall, 'settlement'>,
): AuthorizedTransfers | PermittedTransfers | undefined =>
  chain?.permitted && settlement.to === chain.permitted.spender ? chain.permitted : chain?.authorized

/** The signed terms of a paid call, as they are looked up on the chain. */
export const toSigned = ({ payer, payTo, amount, nonce, validUntil }: PaidCall) => ({
  ...{ from: payer, to: payTo, value: amount, nonce, validBefore: BigInt(validUntil) / 1_000n },
})

/**
 * The transfer of a failed call that somebody else sent to the chain: the payer signed it, so anyone may send it until it
 * expires. This service cannot return the money. Undefined when the nonce of the payment was not used. `isProven` is false when the
 * nonce was used, but perhaps without a transfer.
 */
export const transferByOthers = async (
  { chains }: Pick<Deps, 'chains'>,
  call: PaidCall,
): Promise<{ transaction: Hex | null; isProven: boolean } | undefined> => {
  const transfers = transfersOf(chains.get(call.chainId), call)
  const signed = toSigned(call)
  if (!transfers) return undefined
  const transaction = await transfers.transferOf(signed)
  if (transaction) return { transaction, isProven: true }
  const state = await transfers.stateOf(signed)
  return state === 'used' ? { transaction: null, isProven: !('spender' in transfers) } : undefined
}
