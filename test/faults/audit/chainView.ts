import { createPublicClient, getAbiItem, http, parseAbiItem, zeroAddress } from 'viem'
import { z } from 'zod'
import { reputationRegistryAbi } from '../../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { decodeEvents, lower } from '../../../src/chain/reading/chainEvents.ts'
import { address } from '../../../src/domain/hex.ts'

export type ChainPlace = { rpcUrl: string; escrow: string; usdc: string; reputation: string }
export type ChainView = Awaited<ReturnType<typeof viewChain>>

const feedback = getAbiItem({ abi: reputationRegistryAbi, name: 'NewFeedback' })
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/**
 * Reads from the node directly, not through the service: who received and holds USDC, escrow events, feedback, all
 * transactions.
 */
export const viewChain = async ({ rpcUrl, ...place }: ChainPlace, depth: bigint) => {
  const { escrow, usdc, reputation } = z.object({ escrow: address, usdc: address, reputation: address }).parse(place)
  const node = createPublicClient({ transport: http(rpcUrl, { batch: true }), cacheTime: 0 })
  const whole = { fromBlock: 0n, toBlock: 'latest' } as const
  const newest = await node.getBlockNumber()
  const from = newest > depth ? newest - depth : 0n
  const token = { address: usdc, abi: testUsdcAbi } as const
  const moved = (await node.getLogs({ address: usdc, event: transfer, ...whole })).flatMap(({ args: { from, to, value } }) =>
    from && to && value !== undefined ? [{ from: lower(from), to: lower(to), value }] : [],
  )
  const rated = await node.getLogs({ address: reputation, event: feedback, ...whole })
  const holders = [...new Set(moved.map(it => it.to))]
  const held = await Promise.all(holders.map(it => node.readContract({ ...token, functionName: 'balanceOf', args: [it] })))
  const mined = await Promise.all(
    Array.from({ length: Number(newest - from) + 1 }, (_, at) =>
      node.getBlock({ blockNumber: from + BigInt(at), includeTransactions: true }),
    ),
  )
  return {
    escrow,
    supply: await node.readContract({ ...token, functionName: 'totalSupply' }),
    balances: new Map(holders.map((it, at) => [it, held[at] ?? 0n])),
    minted: moved.filter(it => it.from === zeroAddress),
    events: decodeEvents(await node.getLogs({ address: escrow, ...whole })),
    feedback: rated.map(({ args: { clientAddress = '', feedbackURI = '', feedbackHash = '' } }) => ({
      client: lower(clientAddress),
      uri: feedbackURI,
      fileHash: feedbackHash,
    })),
    transactions: mined.flatMap(block => block.transactions.map(it => ({ hash: it.hash, from: lower(it.from) }))),
    counts: async (wallets: string[]) =>
      Promise.all(wallets.map(async it => [it, await node.getTransactionCount({ address: address.parse(it) })] as const)),
  }
}
