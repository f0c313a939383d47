import { getAbiItem } from 'viem/utils'
import type { Address } from '../../domain/hex.ts'
import type { Chain, OtherToken, TokenTransfer, WalletSet } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { lower } from '../rpc/checksum.ts'
import { answered, type Node } from '../rpc/node.ts'
import { readTimes } from './blockTimes.ts'

const event = getAbiItem({ abi: testUsdcAbi, name: 'Transfer' })

/** Wallets in one query. Nodes refuse longer lists of topics. */
const walletsAtOnce = 500
/** Above this number of queries, all transfers of the token are read, and those of other wallets are left out here. */
const mostQueries = 10

type Range = { from: bigint; to: bigint }

type Tokens = { usdc: Address; others: readonly OtherToken[] }

/**
 * Reads the transfers of USDC that pay or charge the given wallets, and those of other tokens that pay them, in chain order
 * (ERC-20, `Transfer`). Above the number of wallets that can be asked for, the other tokens are not read: they are much too many.
 */
export const createTransferReads = (node: Node, { usdc, others }: Tokens): Required<Pick<Chain, 'transfers'>> => {
  const known = new Map<string, OtherToken>(others.map(it => [it.address, it]))
  const ask = (
    { from, to }: Range,
    { address, args }: { address: Address | Address[]; args?: { from: Address[] } | { to: Address[] } },
  ) => answered(node.getLogs({ address, event, ...(args && { args }), fromBlock: from, toBlock: to, strict: true }))

  const askFor = async (range: Range, of: WalletSet) => {
    const wallets = await of.upTo(walletsAtOnce * mostQueries)
    if (!wallets) return ask(range, { address: usdc })
    const groups = Array.from({ length: Math.ceil(wallets.length / walletsAtOnce) }, (_, at) =>
      wallets.slice(at * walletsAtOnce, (at + 1) * walletsAtOnce),
    )
    const received = [usdc, ...others.map(it => it.address)]
    const asked = groups.flatMap(it => [
      ask(range, { address: usdc, args: { from: it } }),
      ask(range, { address: received, args: { to: it } }),
    ])
    return (await Promise.all(asked)).flat()
  }

  return {
    async transfers(of, from, to) {
      // A transfer between two of the wallets is in two answers.
      const logs = new Map((await askFor({ from, to }, of)).map(it => [`${it.blockHash}:${it.logIndex}`, it]))
      const parties = new Set([...logs.values()].flatMap(({ args }) => [lower(args.from), lower(args.to)]))
      const own = new Set<string>(await of.among([...parties]))
      const found = [...logs.values()].filter(({ args }) => own.has(lower(args.from)) || own.has(lower(args.to)))
      const times = await readTimes(node, found)
      return found
        .map(
          ({ address, args, transactionHash: txHash, blockNumber, blockHash, logIndex }): TokenTransfer => ({
            txHash,
            blockNumber,
            blockHash,
            logIndex,
            at: times.get(blockNumber) ?? 0,
            token: known.get(lower(address)),
            from: lower(args.from),
            to: lower(args.to),
            amount: args.value,
          }),
        )
        .toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
    },
  }
}
