import type { ChainReads } from '../../../../src/chain/reading/chainReads.ts'
import type { Hex } from '../../../../src/domain/hex.ts'
import type { Chain, Receipt } from '../../../../src/ports.ts'
import type { ChainModel } from './chain.ts'
import { refundableFrom } from './contracts.ts'
import type { Block } from './execution.ts'
import { places } from './places.ts'
import type { ChainTerms } from './port.ts'

type Looks = ChainReads & Pick<Chain, 'coinBalance'>

/** Read access to the chain through one node: blocks up to the node's head, and the present contract state. */
export const createLooks = (model: ChainModel, { confirmations }: ChainTerms): Looks => {
  const blockAt = (back: number): Block => {
    const block = model.blocks[Math.max(0, model.blocks.length - 1 - back)]
    if (!block) throw new Error('a chain without blocks')
    return block
  }
  const seen = () => blockAt(model.weather.lagBlocks)
  const believed = () => blockAt(model.weather.lagBlocks + confirmations)
  const find = (hash: Hex, until: Block) => {
    const found = model.find(hash)
    return found && found.block.number <= until.number ? found : undefined
  }
  const eventsOf = (from: bigint, until: bigint) =>
    model.blocks.slice(Number(from), Number(until) + 1).flatMap(block => block.txs.flatMap(it => it.events))
  return {
    receipt: async hash => {
      const found = find(hash, believed())
      return found && toReceipt(hash, found)
    },
    transactionCount: async address => model.state.nonces.get(address) ?? 0,
    confirmedCount: async address => {
      const { number } = believed()
      const later = model.blocks.slice(Number(number) + 1).flatMap(block => block.txs)
      return (model.state.nonces.get(address) ?? 0) - later.filter(it => it.tx.sender === address).length
    },
    head: async () => {
      const { number, hash, seconds } = believed()
      return { number, hash, timeMs: seconds * 1_000 }
    },
    coinBalance: async of => model.state.coin.get(of) ?? 0n,
    blockHash: async number => (number <= seen().number ? model.blocks[Number(number)]?.hash : undefined),
    events: async (from, to) => eventsOf(from, to < seen().number ? to : seen().number),
    ...(confirmations > 0 && { unconfirmedEvents: async () => eventsOf(believed().number + 1n, seen().number) }),
    job: async id => {
      const job = model.state.jobs.get(id)
      if (!job) throw new Error(`The contract knows no job ${id}.`)
      const { client, provider, evaluator, budget, expiredAt, status } = job
      return { client, provider, evaluator, budget, expiresAt: expiredAt * 1_000, status }
    },
    refundableAt: async id => {
      const job = model.state.jobs.get(id)
      return job?.status === 'funded' || job?.status === 'submitted' ? refundableFrom(job) * 1_000 : undefined
    },
    registeredAgent: async hash => {
      const mined = find(hash, seen())?.mined
      if (!mined?.success) return undefined
      const before = model.blocks.flatMap(block => block.txs).filter(it => it.success && it.tx.call.to === places.registry)
      return BigInt(before.findIndex(it => it.tx.hash === hash) + 1)
    },
    usdcBalance: async of => model.state.usdc.get(of) ?? 0n,
    usdcSupply: async () => model.supply(),
  }
}

const toReceipt = (hash: Hex, { block, mined }: NonNullable<ReturnType<ChainModel['find']>>): Receipt => ({
  hash,
  success: mined.success,
  blockHash: block.hash,
  blockNumber: block.number,
  blockTime: block.seconds * 1_000,
  index: block.txs.indexOf(mined),
})
