import type { Hex } from '../../domain/hex.ts'
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
