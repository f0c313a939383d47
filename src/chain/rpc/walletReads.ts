import { BaseError, CallExecutionError, parseTransaction } from 'viem'
import type { Chain, Launchpad } from '../../ports.ts'
import { agentTokenAbi as abi } from '../contracts/artifacts/AgentToken.ts'
import { answered, answeredOrNone, type Node } from './node.ts'

/** Balance of any ERC-20 token, in its atomic units; 0 where the contract refuses to tell it. */
export const createTokenBalance =
  (node: Node): Launchpad['balance'] =>
  async (address, of) =>
    (await answeredOrNone(node.readContract({ address, abi, functionName: 'balanceOf', args: [of] }), BaseError)) ?? 0n

/** Read-only calls that a client may make through its wallet, besides its USDC balance. */
export const createWalletReads = (node: Node): Required<Pick<Chain, 'coinBalance' | 'maxCost' | 'ask'>> => ({
  coinBalance: of => answered(node.getBalance({ address: of })),
  maxCost: raw => {
    const { value = 0n, gas = 0n, maxFeePerGas, gasPrice } = parseTransaction(raw)
    return value + gas * (maxFeePerGas ?? gasPrice ?? 0n)
  },
  async ask(to, question) {
    try {
      return (await answered(node.call({ to, data: question }))).data ?? '0x'
    } catch (error) {
      if (error instanceof CallExecutionError) return undefined
      throw error
    }
  },
})
