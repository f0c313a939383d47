import type { Hex } from '../../domain/hex.ts'
import type { Deps } from '../../operations/operation.ts'
import { paymentOf, transfersOf } from './paymentOf.ts'
import type { PaidCall } from './ports.ts'

/**
 * The transfer of a failed call that somebody else sent to the chain: the payer signed it, so anyone may send it until it
 * expires. This service cannot return the money. Undefined when the agent did not get the money by it. `transaction` is null when
 * the nonce is used, and the chain does not show for what.
 */
export const transferByOthers = async (
  { chains }: Pick<Deps, 'chains'>,
  call: PaidCall,
): Promise<{ transaction: Hex | null } | undefined> => {
  // In the scheme `upto` only this service can settle the payment.
  const chain = chains.get(call.chainId)
  if (transfersOf(chain, call) === chain?.upto) return undefined
  const seen = await paymentOf(chain, call)
  return seen && { transaction: seen === 'unclear' ? null : seen }
}
