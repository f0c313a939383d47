import {
  BaseError,
  BlockNotFoundError,
  ContractFunctionRevertedError,
  parseEventLogs,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { Hex } from '../domain/hex.ts'
import type { Chain } from '../ports.ts'
import { decodeEvents, lower } from './chainEvents.ts'
import { agentRegistryAbi } from './contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi } from './contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi } from './contracts/artifacts/TestUsdc.ts'
import { readJob } from './dialectReading.ts'
import { answered, answeredOrNone, type Node } from './node.ts'

/** What can be read of a chain. */
export type Looks = Pick<
  Chain,
  | 'receipt'
  | 'transactionCount'
  | 'confirmedCount'
  | 'head'
  | 'blockHash'
  | 'events'
  | 'unconfirmedEvents'
  | 'job'
  | 'refundableAt'
  | 'registeredAgent'
  | 'usdcBalance'
  | 'usdcSupply'
>

type LookDeps = {
  node: Node
  addresses: Chain['addresses']
  /** Blocks that must lie on top of what is told. Nothing younger is told at all, so a reorganisation of less is never seen. */
  confirmations?: number | undefined
}

export const createLooks = ({ node, addresses, confirmations = 0 }: LookDeps): Looks => {
  const { escrow, usdc, registry } = addresses
  const blockTime = createBlockTimes(node)
  const minedReceipt = (hash: Hex) => answeredOrNone(node.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError)
  const confirmedNumber = async () => {
    const newest = await answered(node.getBlockNumber())
    return newest > BigInt(confirmations) ? newest - BigInt(confirmations) : 0n
  }
  const isConfirmed = async (blockNumber: bigint) => confirmations === 0 || blockNumber <= (await confirmedNumber())

  return {
    async receipt(hash) {
      const mined = await minedReceipt(hash)
      if (!mined || !(await isConfirmed(mined.blockNumber))) return undefined
      const { blockHash, blockNumber, transactionIndex: index, status } = mined
      const time = await blockTime(blockHash)
      // A block that is gone again took its receipts along.
      return time === undefined
        ? undefined
        : { hash, blockHash, blockNumber, index, blockTime: time, success: status === 'success' }
    },
    transactionCount: address => answered(node.getTransactionCount({ address, blockTag: 'latest' })),
    async confirmedCount(address) {
      const blockNumber = confirmations === 0 ? undefined : await confirmedNumber()
      return answered(
        node.getTransactionCount({ address, ...(blockNumber === undefined ? { blockTag: 'latest' } : { blockNumber }) }),
      )
    },

    async head() {
      const { number, hash, timestamp } =
        confirmations === 0
          ? await answered(node.getBlock({ blockTag: 'latest' }))
          : await answered(node.getBlock({ blockNumber: await confirmedNumber() }))
      return { number, hash, timeMs: Number(timestamp) * 1_000 }
    },
    async blockHash(number) {
      const block = await answeredOrNone(node.getBlock({ blockNumber: number }), BlockNotFoundError)
      return block?.hash
    },
    ...(confirmations > 0 && {
      unconfirmedEvents: async () => {
        const fromBlock = (await confirmedNumber()) + 1n
        return decodeEvents(await answered(node.getLogs({ address: escrow, fromBlock, toBlock: 'latest' })))
      },
    }),
    events: async (from, to) => decodeEvents(await answered(node.getLogs({ address: escrow, fromBlock: from, toBlock: to }))),

    job: chainJobId => readJob('B', { node, escrow, chainJobId }),

    async refundableAt(chainJobId) {
      const asked = node.readContract({ address: escrow, abi: jobEscrowAbi, functionName: 'refundableAt', args: [chainJobId] })
      try {
        return Number(await answered(asked)) * 1_000
      } catch (error) {
        // The contract refuses the question for a job that holds nothing.
        if (error instanceof BaseError && error.walk(it => it instanceof ContractFunctionRevertedError)) return undefined
        throw error
      }
    },

    async registeredAgent(txHash) {
      const logs = (await minedReceipt(txHash))?.logs.filter(log => lower(log.address) === registry) ?? []
      return parseEventLogs({ abi: agentRegistryAbi, eventName: 'Registered', logs })[0]?.args.agentId
    },

    usdcBalance: of => answered(node.readContract({ address: usdc, abi: testUsdcAbi, functionName: 'balanceOf', args: [of] })),
    usdcSupply: () => answered(node.readContract({ address: usdc, abi: testUsdcAbi, functionName: 'totalSupply' })),
  }
}

/** Receipts of one block are asked for one after the other: a few blocks are enough. */
const rememberedBlocks = 256

/** The time of a block by its hash, in epoch ms; it never changes. */
const createBlockTimes = (node: Node) => {
  const times = new Map<Hex, number>()
  return async (blockHash: Hex): Promise<number | undefined> => {
    const known = times.get(blockHash)
    if (known !== undefined) return known
    const block = await answeredOrNone(node.getBlock({ blockHash }), BlockNotFoundError)
    if (!block) return undefined
    const [oldest] = times.keys()
    if (oldest !== undefined && times.size >= rememberedBlocks) times.delete(oldest)
    times.set(blockHash, Number(block.timestamp) * 1_000)
    return times.get(blockHash)
  }
}
