import { BaseError, ContractFunctionRevertedError, decodeEventLog, type Log, zeroAddress } from 'viem'
import type { Address } from '../../domain/hex.ts'
import type { CurveState, Launchpad, TokenEvent } from '../../ports.ts'
import { tokenLaunchpadAbi as abi } from '../contracts/artifacts/TokenLaunchpad.ts'
import { lower } from '../rpc/checksum.ts'
import { answered, type Node } from '../rpc/node.ts'
import { createTokenBalance } from '../rpc/walletReads.ts'
import { readTimes } from './blockTimes.ts'

type Facts = Awaited<ReturnType<Launchpad['facts']>>

/** Reads the launchpad of a chain. Its fees and virtual reserves never change, so they are read once. */
export const createLaunchpadReads = (
  node: Node,
  launchpad: Address,
): Pick<Launchpad, 'facts' | 'curve' | 'events' | 'balance'> => {
  let known: Facts | undefined
  const facts = async (): Promise<Facts> => {
    known ??= await readFacts(node, launchpad)
    return known
  }
  return {
    facts,
    curve: async token => readCurve({ node, launchpad, token }, await facts()),
    events: async (from, to) => {
      const logs = await answered(node.getLogs({ address: launchpad, fromBlock: from, toBlock: to }))
      return decodeLogs(logs, { times: await readTimes(node, logs), treasury: (await facts()).treasury })
    },
    balance: createTokenBalance(node),
  }
}

const readFacts = async (node: Node, address: Address): Promise<Facts> => {
  const read = (functionName: 'feeBps' | 'creatorShareBps' | 'virtualUsdc' | 'virtualCoin') =>
    answered(node.readContract({ address, abi, functionName }))
  const [feeBps, creatorShareBps, usdc, wrapped] = await Promise.all([
    ...[read('feeBps'), read('creatorShareBps'), read('virtualUsdc'), read('virtualCoin')],
  ])
  const treasury = lower(await answered(node.readContract({ address, abi, functionName: 'treasury' })))
  const virtualReserves = { usdc: usdc ?? 0n, wrapped: wrapped ?? 0n }
  return { feeBps: Number(feeBps), creatorShareBps: Number(creatorShareBps), treasury, virtualReserves }
}

type Asked = { node: Node; launchpad: Address; token: Address }

const readCurve = async ({ node, launchpad, token }: Asked, facts: Facts): Promise<CurveState | undefined> => {
  const asked = node.readContract({ address: launchpad, abi, functionName: 'curveOf', args: [token] })
  try {
    const { agentId: agentNumber, virtualReserve, reserve, held, fees, asset } = await answered(asked)
    const usdc = await answered(node.readContract({ address: launchpad, abi, functionName: 'usdc' }))
    const reserveKind = lower(asset) === lower(usdc) ? 'usdc' : 'wrapped'
    return { agentNumber, reserveKind, virtualReserve, reserve, held, fees, feeBps: facts.feeBps }
  } catch (error) {
    if (error instanceof BaseError && error.walk(it => it instanceof ContractFunctionRevertedError)) return undefined
    throw error
  }
}

type MinedLog = Log<bigint, number, false>

type Decoding = { times: ReadonlyMap<bigint, number>; treasury: Address }

/** Decodes logs in chain order. A launch has two events, of which the second binds the token to its agent. */
const decodeLogs = (logs: readonly MinedLog[], { times, treasury }: Decoding): TokenEvent[] => {
  const created = new Map<Address, { name: string; symbol: string; asset: Address }>()
  const firstOf = new Map<string, number>()
  return logs.flatMap((log): TokenEvent[] => {
    const { transactionHash: txHash, blockNumber, blockHash, logIndex } = log
    const first = firstOf.get(txHash) ?? logIndex
    firstOf.set(txHash, first)
    const at = times.get(blockNumber) ?? 0
    const { eventName, args } = decodeEventLog({ abi, ...log })
    const mined = { txHash, blockNumber, blockHash, place: logIndex - first, at }
    if (eventName === 'PlatformFeesPaid')
      return [
        { ...mined, name: 'platform-fees-paid' as const, token: lower(args.asset), receiver: treasury, amount: args.amount },
      ]
    const of = { ...mined, token: lower(args.token) }
    if (eventName === 'TokenCreated') {
      created.set(of.token, { name: args.name, symbol: args.symbol, asset: lower(args.reserveToken) })
      return []
    }
    if (eventName === 'AgentTokenLaunched') {
      const { name: tokenName, symbol, asset } = created.get(of.token) ?? { name: '', symbol: '', asset: zeroAddress }
      return [
        { ...of, name: 'launched' as const, agentNumber: args.agentId, creator: lower(args.creator), asset, tokenName, symbol },
      ]
    }
    if (eventName === 'CreatorFeesPaid')
      return [{ ...of, name: 'fees-paid' as const, receiver: lower(args.receiver), amount: args.amount }]
    if (eventName === 'Mint')
      return [{ ...of, name: 'bought' as const, trader: lower(args.user), tokens: args.amountMinted, amount: args.reserveAmount }]
    return [{ ...of, name: 'sold' as const, trader: lower(args.user), tokens: args.amountBurned, amount: args.refundAmount }]
  })
}
