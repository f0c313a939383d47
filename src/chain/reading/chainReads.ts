import {
  BaseError,
  BlockNotFoundError,
  ContractFunctionRevertedError,
  parseEventLogs,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain } from '../../ports.ts'
import { agentRegistryAbi } from '../contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi } from '../contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { answered, answeredOrNone, type Node } from '../rpc/node.ts'
import { decodeEvents, lower } from './chainEvents.ts'
import { readJob } from './dialectReading.ts'
import { createHeads, type Heads } from './heads.ts'

export type ChainReads = Pick<
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

type ChainReadDeps = {
  node: Node
  addresses: Chain['addresses']
  /** Blocks required above a reported block. Younger blocks are not reported, so shallower reorganisations are never seen. */
  confirmations?: number | undefined
  /** How old the newest block may be that is used, in ms; 0 reads it every time. */
  freshMs?: number
}

export const createChainReads = ({ node, addresses, confirmations = 0, freshMs = 0 }: ChainReadDeps): ChainReads => {
  const heads = createHeads(node, freshMs)
  const depth = createDepth(heads, confirmations)
  return {
    ...transactionReads({ node, heads, freshMs }, depth),
    ...blockReads({ node, heads, escrow: addresses.escrow }, depth),
    ...contractReads(node, addresses),
  }
}

type Depth = { confirmations: number; newest(): Promise<bigint>; covers(blockNumber: bigint): Promise<boolean> }

const createDepth = (heads: Heads, confirmations: number): Depth => {
  const newest = async () => {
    const { number } = await heads.latest()
    return number > BigInt(confirmations) ? number - BigInt(confirmations) : 0n
  }
  return { confirmations, newest, covers: async blockNumber => confirmations === 0 || blockNumber <= (await newest()) }
}

const minedReceipt = (node: Node, hash: Hex) =>
  answeredOrNone(node.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError)

type TransactionReads = Pick<ChainReads, 'receipt' | 'transactionCount' | 'confirmedCount'>
type Reading = { node: Node; heads: Heads; freshMs: number }

/** Transactions whose last answer is remembered: more than any wallets have in flight. */
const rememberedReceipts = 2_000

const transactionReads = ({ node, heads, freshMs }: Reading, depth: Depth): TransactionReads => {
  const blockTime = createBlockTimes(node)
  // The newest block at which each transaction had no receipt with enough confirmations. Only another block can change that.
  const missedAt = new Map<Hex, Hex>()
  const miss = (hash: Hex, head: Hex) => {
    missedAt.delete(hash)
    const [oldest] = missedAt.keys()
    if (oldest !== undefined && missedAt.size >= rememberedReceipts) missedAt.delete(oldest)
    missedAt.set(hash, head)
  }
  return {
    async receipt(hash) {
      const head = freshMs > 0 ? (await heads.latest()).hash : undefined
      if (head !== undefined && missedAt.get(hash) === head) return undefined
      const mined = await minedReceipt(node, hash)
      if (mined) heads.expect(mined.blockNumber)
      if (!mined || !(await depth.covers(mined.blockNumber))) {
        if (head !== undefined) miss(hash, head)
        return undefined
      }
      const { blockHash, blockNumber, transactionIndex: index, status } = mined
      const time = await blockTime(blockHash)
      // The block was removed by a reorganisation, and its receipts with it.
      return time === undefined
        ? undefined
        : { hash, blockHash, blockNumber, index, blockTime: time, success: status === 'success' }
    },
    transactionCount: address => answered(node.getTransactionCount({ address, blockTag: 'latest' })),
    async confirmedCount(address) {
      const blockNumber = depth.confirmations === 0 ? undefined : await depth.newest()
      return answered(
        node.getTransactionCount({ address, ...(blockNumber === undefined ? { blockTag: 'latest' } : { blockNumber }) }),
      )
    },
  }
}

type BlockReads = Pick<ChainReads, 'head' | 'blockHash' | 'events' | 'unconfirmedEvents'>

type BlockReading = { node: Node; heads: Heads; escrow: Address }

const blockReads = ({ node, heads, escrow }: BlockReading, depth: Depth): BlockReads => ({
  async head() {
    const block = depth.confirmations === 0 ? await heads.latest() : await heads.at(await depth.newest())
    // The node lost the block since it named its newest one.
    if (!block) throw new Problem('chain-unavailable')
    return { number: block.number, hash: block.hash, timeMs: Number(block.timestamp) * 1_000 }
  },
  blockHash: async number => (await heads.at(number))?.hash,
  ...(depth.confirmations > 0 && {
    unconfirmedEvents: async () => {
      const fromBlock = (await depth.newest()) + 1n
      return decodeEvents(await answered(node.getLogs({ address: escrow, fromBlock, toBlock: 'latest' })))
    },
  }),
  events: async (from, to) => decodeEvents(await answered(node.getLogs({ address: escrow, fromBlock: from, toBlock: to }))),
})

type ContractReads = Pick<ChainReads, 'job' | 'refundableAt' | 'registeredAgent' | 'usdcBalance' | 'usdcSupply'>

const contractReads = (node: Node, { escrow, usdc, registry }: Chain['addresses']): ContractReads => ({
  job: chainJobId => readJob('B', { node, escrow, chainJobId }),

  async refundableAt(chainJobId) {
    const asked = node.readContract({ address: escrow, abi: jobEscrowAbi, functionName: 'refundableAt', args: [chainJobId] })
    try {
      return Number(await answered(asked)) * 1_000
    } catch (error) {
      // The contract reverts for a job that holds no money.
      if (error instanceof BaseError && error.walk(it => it instanceof ContractFunctionRevertedError)) return undefined
      throw error
    }
  },

  async registeredAgent(txHash) {
    const logs = (await minedReceipt(node, txHash))?.logs.filter(log => lower(log.address) === registry) ?? []
    return parseEventLogs({ abi: agentRegistryAbi, eventName: 'Registered', logs })[0]?.args.agentId
  },

  usdcBalance: of => answered(node.readContract({ address: usdc, abi: testUsdcAbi, functionName: 'balanceOf', args: [of] })),
  usdcSupply: () => answered(node.readContract({ address: usdc, abi: testUsdcAbi, functionName: 'totalSupply' })),
})

/** Receipts of one block are read in succession, so a small cache is enough. */
const rememberedBlocks = 256

/** Reads block times by block hash, in epoch ms. They never change, so they are cached. */
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
