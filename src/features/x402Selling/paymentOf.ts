import type { Hex } from '../../domain/hex.ts'
import type { Deps } from '../../operations/operation.ts'
import type { AuthorizedTransfers, Chain } from '../../ports.ts'
import { costOf, type PaidCall } from './ports.ts'
import type { Transfers } from './sale.ts'

/** The signed transfers by which a paid call is settled. A settlement through a proxy of x402 is signed for Permit2. */
export const transfersOf = (chain: Chain | undefined, { settlement }: Pick<PaidCall, 'settlement'>): Transfers | undefined => {
  const byPermit = [chain?.permitted, chain?.upto].find(it => it?.spender === settlement.to)
  return byPermit ?? chain?.authorized
}

export const toSigned = ({ payer, payTo, nonce, validUntil, ...of }: PaidCall) => ({
  ...{ from: payer, to: payTo, value: costOf(of), nonce, validBefore: BigInt(validUntil) / 1_000n },
})

/** The transaction that paid a call, as the chain shows it. See `transferOf` of the port. */
export const paymentOf = async (
  chain: Chain | undefined,
  call: PaidCall,
  of: Parameters<AuthorizedTransfers['transferOf']>[1] = {},
): Promise<Hex | 'unclear' | undefined> => transfersOf(chain, call)?.transferOf(toSigned(call), of)

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
