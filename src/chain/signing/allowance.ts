import { encodeFunctionData } from 'viem'
import type { Address } from '../../domain/hex.ts'
import type { Call, Chain } from '../../ports.ts'
import { jobEscrowAbi } from '../contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import type { GasCeilings } from '../rpc/gas.ts'

type AllowanceDeps = { addresses: Chain['addresses']; evaluator: Address; gas: GasCeilings }

/**
 * Hire on a token without EIP-3009: an approval of exactly the budget, then `createAndFund`. The client's wallet sends both, so
 * its nonces keep them in order.
 */
export const createAllowanceHire = ({ addresses: { escrow, usdc }, evaluator, gas }: AllowanceDeps) => ({
  approve: (amount: bigint): Call => ({
    to: usdc,
    data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [escrow, amount] }),
    value: 0n,
    gas: gas.approve,
  }),

  hire: async ({ jobId, provider, budget, expiresAt }: Parameters<Chain['hire']>[0]): Promise<Call> => ({
    to: escrow,
    data: encodeFunctionData({
      abi: jobEscrowAbi,
      functionName: 'createAndFund',
      args: [provider, evaluator, BigInt(Math.floor(expiresAt / 1_000)), jobId, budget],
    }),
    value: 0n,
    gas: gas.createAndFund,
  }),
})
