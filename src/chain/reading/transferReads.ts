import { getAbiItem } from 'viem/utils'
import type { Address } from '../../domain/hex.ts'
import type { Chain, UsdcTransfer } from '../../ports.ts'
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

/** Reads the transfers of USDC that pay or charge the given wallets, in chain order (ERC-20, `Transfer`). */
export const createTransferReads = (node: Node, usdc: Address): Required<Pick<Chain, 'transfers'>> => {
  const ask = ({ from, to }: Range, args?: { from: Address[] } | { to: Address[] }) =>
    answered(node.getLogs({ address: usdc, event, ...(args && { args }), fromBlock: from, toBlock: to, strict: true }))

  const askFor = async (range: Range, wallets: Address[]) => {
    const groups = Array.from({ length: Math.ceil(wallets.length / walletsAtOnce) }, (_, at) =>
      wallets.slice(at * walletsAtOnce, (at + 1) * walletsAtOnce),
    )
    if (groups.length > mostQueries) return ask(range)
    return (await Promise.all(groups.flatMap(it => [ask(range, { from: it }), ask(range, { to: it })]))).flat()
  }

  return {
    async transfers(wallets, from, to) {
      const known = new Set<string>(wallets)
      // A transfer between two of the wallets is in two answers.
      const logs = new Map((await askFor({ from, to }, wallets)).map(it => [`${it.blockHash}:${it.logIndex}`, it]))
      const found = [...logs.values()].filter(({ args }) => known.has(lower(args.from)) || known.has(lower(args.to)))
      const times = await readTimes(node, found)
      return found
        .map(
          ({ args, transactionHash: txHash, blockNumber, blockHash, logIndex }): UsdcTransfer => ({
            ...{ txHash, blockNumber, blockHash, logIndex, at: times.get(blockNumber) ?? 0 },
            ...{ from: lower(args.from), to: lower(args.to), amount: args.value },
          }),
        )
        .toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
    },
  }
}
