import { hourMs } from '../../domain/durations.ts'
import { answered, type Node } from './node.ts'

/** Number of blocks that are searched at once, because public nodes return the logs of a limited range only. */
const searchedBlocks = 2_000n

/** The clock of this service and the time of a chain may differ by so much, in ms. */
const clockSkewMs = hourMs

/**
 * Block ranges from the newest block back to a time, or to the first block.
 * @param since epoch ms; only the newest range when absent
 */
export async function* rangesBack(node: Node, since?: number): AsyncGenerator<{ fromBlock: bigint; toBlock: bigint }> {
  let toBlock = await answered(node.getBlockNumber())
  for (;;) {
    const fromBlock = toBlock >= searchedBlocks ? toBlock - searchedBlocks + 1n : 0n
    yield { fromBlock, toBlock }
    if (fromBlock === 0n || since === undefined) return
    const { timestamp } = await answered(node.getBlock({ blockNumber: fromBlock }))
    if (Number(timestamp) * 1_000 < since - clockSkewMs) return
    toBlock = fromBlock - 1n
  }
}
