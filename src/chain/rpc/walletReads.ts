import { CallExecutionError, parseTransaction } from 'viem'
import type { Chain } from '../../ports.ts'
import { answered, type Node } from './node.ts'

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
