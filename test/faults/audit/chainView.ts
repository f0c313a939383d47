import {
  createPublicClient,
  decodeFunctionData,
  getAbiItem,
  type Hex,
  http,
  type Log,
  pad,
  parseAbiItem,
  toHex,
  zeroAddress,
} from 'viem'
import { z } from 'zod'
import { reputationRegistryAbi } from '../../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { tokenLaunchpadAbi } from '../../../src/chain/contracts/artifacts/TokenLaunchpad.ts'
import { decodeEvents, lower } from '../../../src/chain/reading/chainEvents.ts'
import { uptoProxy } from '../../../src/chain/signing/proxies.ts'
import { uptoProxyAbi } from '../../../src/chain/signing/uptoTransfers.ts'
import { type Address, address } from '../../../src/domain/hex.ts'

/** The launchpad is absent where no tokens are traded. */
export type ChainPlace = { rpcUrl: string; escrow: string; usdc: string; reputation: string; launchpad?: string | undefined }
export type ChainView = Awaited<ReturnType<typeof viewChain>>
/**
 * A transfer of USDC. `nonce`: that of the authorization (EIP-3009) or of the payment in the scheme `upto` that made it.
 * `isByUse`: it is one of the latter.
 */
export type Moved = { from: Address; to: Address; value: bigint; txHash: string; nonce: string | undefined; isByUse: boolean }

const feedback = getAbiItem({ abi: reputationRegistryAbi, name: 'NewFeedback' })
const authorizationUsed = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

const ofPad = (at: Address) => ({ address: at, abi: tokenLaunchpadAbi }) as const

/**
 * Reads from the node directly, not through the service: who received and holds USDC, escrow events, feedback, all
 * transactions.
 */
export const viewChain = async ({ rpcUrl, ...place }: ChainPlace, depth: bigint) => {
  const { escrow, usdc, reputation, launchpad } = z
    .object({ escrow: address, usdc: address, reputation: address, launchpad: address.optional() })
    .parse(place)
  const node = createPublicClient({ transport: http(rpcUrl, { batch: true }), cacheTime: 0 })
  const whole = { fromBlock: 0n, toBlock: 'latest' } as const
  const newest = await node.getBlockNumber()
  const from = newest > depth ? newest - depth : 0n
  const token = { address: usdc, abi: testUsdcAbi } as const
  const taken = await node.getLogs({ address: uptoProxy, ...whole })
  const settling = await Promise.all(taken.map(it => node.getTransaction({ hash: it.transactionHash })))
  const nonces = new Map(settling.map(it => [it.hash, nonceOf(it.input)]))
  const moved = toMoved(await node.getLogs({ address: usdc, events: [transfer, authorizationUsed], ...whole }), nonces)
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
    moved,
    launchpad: launchpad && {
      curve: (token: Address) => node.readContract({ ...ofPad(launchpad), functionName: 'curveOf', args: [token] }),
      balance: (token: Address, of: Address) =>
        node.readContract({ address: token, abi: testUsdcAbi, functionName: 'balanceOf', args: [of] }),
    },
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

type TokenLog = Log<bigint, number, false, undefined, undefined, [typeof transfer, typeof authorizationUsed]>

/** The nonce of a payment in the scheme `upto`, which a call of its proxy settles. */
const nonceOf = (input: Hex): Hex | undefined => {
  const { functionName, args } = decodeFunctionData({ abi: uptoProxyAbi, data: input })
  return functionName === 'settle' ? pad(toHex(args[0].nonce)) : undefined
}

/**
 * The token emits `AuthorizationUsed` directly before the transfer that used the nonce.
 * @param byUse nonces of payments by use, by their transactions
 */
const toMoved = (logs: TokenLog[], byUse: ReadonlyMap<string, Hex | undefined>): Moved[] =>
  logs.flatMap((log, at) => {
    if (log.eventName !== 'Transfer') return []
    const { from, to, value } = log.args
    if (!from || !to || value === undefined) return []
    const before = logs[at - 1]
    const isAuthorized = before?.eventName === 'AuthorizationUsed' && before.transactionHash === log.transactionHash
    const isByUse = byUse.has(log.transactionHash)
    const nonce = isAuthorized && before.args.authorizer === from ? before.args.nonce : byUse.get(log.transactionHash)
    return [{ from: lower(from), to: lower(to), value, txHash: log.transactionHash, nonce, isByUse }]
  })
