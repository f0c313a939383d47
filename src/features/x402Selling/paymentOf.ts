import type { Hex } from '../../domain/hex.ts'
import type { AuthorizedTransfers, Chain, PermittedTransfers } from '../../ports.ts'
import type { PaidCall } from './ports.ts'

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

/** The transaction that paid a call, as the chain shows it. See `transferOf` of the port. */
export const paymentOf = async (
  chain: Chain | undefined,
  call: PaidCall,
  of: Parameters<AuthorizedTransfers['transferOf']>[1] = {},
): Promise<Hex | 'unclear' | undefined> => transfersOf(chain, call)?.transferOf(toSigned(call), of)
