import { encodeFunctionData } from 'viem'
import { transferMethodOf } from '../../domain/x402/purchase.ts'
import { permit2Address } from '../../domain/x402/x402.ts'
import type { Call, Chain, Purchase } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { SigningRefused } from './signerPolicy.ts'

/** @throws SigningRefused unless the call lets Permit2 move exactly the amount of a purchase that is paid by it */
export const checkPermit2Approval = (
  purchase: Pick<Purchase, 'id' | 'amount' | 'requirement'>,
  { call: { to, data, value }, addresses }: { call: Call; addresses: Pick<Chain['addresses'], 'usdc'> },
): void => {
  const wanted = encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [permit2Address, purchase.amount] })
  const isWanted = to?.toLowerCase() === addresses.usdc && value === 0n && data.toLowerCase() === wanted.toLowerCase()
  if (!isWanted || transferMethodOf(purchase) !== 'permit2')
    throw new SigningRefused(`the call is not the approval of purchase ${purchase.id}`)
}
