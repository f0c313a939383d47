import { BlockNotFoundError, parseEventLogs, TransactionReceiptNotFoundError } from 'viem'
import type { Hex } from '../domain/hex.ts'
import type { Chain, ChainJob } from '../ports.ts'
import { decodeEvents, lower } from './chainEvents.ts'
import { agentRegistryAbi } from './contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi } from './contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi } from './contracts/artifacts/TestUsdc.ts'
import { answered, answeredOrNone, type Node } from './node.ts'

/** What can be read of a chain. */
export type Looks = Pick<
  Chain,
  'receipt' | 'transactionCount' | 'head' | 'blockHash' | 'events' | 'job' | 'registeredAgent' | 'usdcBalance' | 'usdcSupply'
>

/** Status words in the order of the contract's enum (ERC-8183). */
const statuses = ['open', 'funded', 'submitted', 'completed', 'rejected', 'expired'] as const satisfies ChainJob['status'][]

export const createLooks = ({ node, addresses }: { node: Node; addresses: Chain['addresses'] }): Looks => {
  const { escrow, usdc, registry } = addresses
  const blockTime = createBlockTimes(node)
  const minedReceipt = (hash: Hex) => answeredOrNone(node.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError)

  return {
    async receipt(hash) {
      const mined = await minedReceipt(hash)
      if (!mined) return undefined
      const { blockHash, blockNumber, transactionIndex: index, status } = mined
      const time = await blockTime(blockHash)
      // A block that is gone again took its receipts along.
      return time === undefined
        ? undefined
        : { hash, blockHash, blockNumber, index, blockTime: time, success: status === 'success' }
    },
    transactionCount: address => answered(node.getTransactionCount({ address, blockTag: 'latest' })),

    async head() {
      const { number, hash, timestamp } = await answered(node.getBlock({ blockTag: 'latest' }))
      return { number, hash, timeMs: Number(timestamp) * 1_000 }
    },
    async blockHash(number) {
      const block = await answeredOrNone(node.getBlock({ blockNumber: number }), BlockNotFoundError)
      return block?.hash
    },
    events: async (from, to) => decodeEvents(await answered(node.getLogs({ address: escrow, fromBlock: from, toBlock: to }))),

    async job(chainJobId) {
      const job = await answered(
        node.readContract({ address: escrow, abi: jobEscrowAbi, functionName: 'getJob', args: [chainJobId] }),
      )
      const status = statuses[job.status]
      if (status === undefined) throw new Error(`job ${chainJobId} has the unknown status ${job.status}`)
      return {
        client: lower(job.client),
        provider: lower(job.provider),
        evaluator: lower(job.evaluator),
        budget: job.budget,
        expiresAt: Number(job.expiredAt) * 1_000,
        status,
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
