import { parseTransaction } from 'viem'
import type { Hex } from '../../domain/hex.ts'
import { answered, type Node } from './node.ts'

/** Fees per unit of gas in wei (EIP-1559). */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** Cache time in ms, about one block. The base fee grows by at most an eighth a block (EIP-1559). */
const feesMs = 1_000

/**
 * Fees that stay sufficient for some blocks: twice the base fee, plus the tip that the node suggests. Capped at `ceiling` wei.
 */
export const createFees = (node: Node, ceiling: bigint | undefined) => {
  const capped = (wei: bigint) => (ceiling !== undefined && wei > ceiling ? ceiling : wei)
  let known: { fees: Promise<Fees>; until: number } | undefined

  const ask = async (): Promise<Fees> => {
    const [block, tip] = await Promise.all([
      answered(node.getBlock({ blockTag: 'latest' })),
      answered(node.estimateMaxPriorityFeePerGas()),
    ])
    return { maxFeePerGas: capped(2n * (block.baseFeePerGas ?? 0n) + tip), maxPriorityFeePerGas: capped(tip) }
  }

  return (): Promise<Fees> => {
    if (known && performance.now() < known.until) return known.fees
    const fees = ask()
    known = { fees, until: performance.now() + feesMs }
    fees.catch(() => {
      known = undefined
    })
    return fees
  }
}

/** A replacement must offer a tenth more of both fees (geth). An eighth exceeds that whatever the rounding. */
const raise = (wei: bigint) => (wei * 9n + 7n) / 8n
const larger = (one: bigint, other: bigint) => (one > other ? one : other)

/** Fees for replacing a transaction, at least the current ones; undefined when they would exceed the ceiling. */
export const raiseFees = (raw: Hex, now: Fees, ceiling: bigint | undefined): Fees | undefined => {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw)
  const fees = {
    maxFeePerGas: larger(raise(maxFeePerGas), now.maxFeePerGas),
    maxPriorityFeePerGas: larger(raise(maxPriorityFeePerGas), now.maxPriorityFeePerGas),
  }
  return ceiling !== undefined && fees.maxFeePerGas > ceiling ? undefined : fees
}
