import { answered, type Node } from '../rpc/node.ts'

/** The times of the blocks of logs, in epoch ms, by block number. */
export const readTimes = async (node: Node, logs: readonly { blockNumber: bigint }[]): Promise<ReadonlyMap<bigint, number>> => {
  const numbers = [...new Set(logs.map(it => it.blockNumber))]
  const blocks = await Promise.all(numbers.map(blockNumber => answered(node.getBlock({ blockNumber }))))
  return new Map(blocks.map(it => [it.number, Number(it.timestamp) * 1_000]))
}
