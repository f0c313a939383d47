import { encodeFunctionData, hexToBigInt, size, slice } from 'viem'
import type { Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import { transferMethodOf } from '../../domain/x402/purchase.ts'
import { permit2Address } from '../../domain/x402/x402.ts'
import type { Call, Chain, PermittedPurchase, Purchase } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { SigningRefused } from './signerPolicy.ts'

type Approving = { call: Call; addresses: Pick<Chain['addresses'], 'usdc'>; permitted: readonly PermittedPurchase[] }

/**
 * An approval replaces the earlier one of the wallet, so that it is at least for the purchase, and at most for all that could be
 * paid by Permit2 when its user agreed to it.
 * @param of.permitted those whose payment had not expired then
 * @throws SigningRefused
 */
export const checkPermit2Approval = (
  purchase: Pick<Purchase, 'id' | 'amount' | 'requirement'>,
  { call: { to, data, value }, addresses, permitted }: Approving,
): void => {
  const most = permitted.reduce((sum, it) => sum + it.amount, 0n)
  const approved = to?.toLowerCase() === addresses.usdc && value === 0n ? approvedIn(data) : undefined
  const isDue = approved !== undefined && approved >= purchase.amount && approved <= most
  if (!isDue || transferMethodOf(purchase) !== 'permit2')
    throw new SigningRefused(`the call is not the approval of purchase ${purchase.id}`)
}

/** Length of a call of `approve`: its selector and two words, of which the second one is the amount. */
const [approvalBytes, amountAt] = [68, 36]

/** How much a call lets Permit2 move; undefined for other calls. */
const approvedIn = (data: Hex): Atomic | undefined => {
  if (size(data) !== approvalBytes) return undefined
  const amount = hexToBigInt(slice(data, amountAt))
  const wanted = encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [permit2Address, amount] })
  return data.toLowerCase() === wanted.toLowerCase() ? amount : undefined
}
