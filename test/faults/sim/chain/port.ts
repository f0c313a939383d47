import type { Address, Hex } from '../../../../src/domain/hex.ts'
import type { Call, Chain, Receipt } from '../../../../src/ports.ts'
import type { ChainModel } from './chain.ts'
import type { ContractCall } from './contracts.ts'
import type { Block } from './execution.ts'
import { coinFor, places, simulatedChainId } from './places.ts'
import { fromRaw, toData, toSigned } from './transactions.ts'

export const usdcDecimals = 6

const gas = {
  hire: 260_000n,
  submit: 45_000n,
  complete: 125_000n,
  reject: 95_000n,
  claimRefund: 95_000n,
  register: 250_000n,
  transfer: 21_000n,
}

/** The Chain port over the modelled chain. A node that is behind answers about blocks and receipts as they were. */
export const createChainPort = (model: ChainModel, feeBps: number): Chain => ({
  chainId: simulatedChainId,
  usdcDecimals,
  addresses: { escrow: places.escrow, usdc: places.usdc, registry: places.registry, reputation: places.reputation },
  evaluator: places.evaluator,
  treasury: places.treasury,
  feeBps,
  ...calls,
  ...sending(model),
  ...looks(model),
})

const call = (to: Address, name: keyof typeof gas, data: ContractCall): Call => ({
  to,
  data: toData(data),
  value: 0n,
  gas: gas[name],
})

const calls: Pick<Chain, 'hire' | 'submit' | 'complete' | 'reject' | 'claimRefund' | 'registerAgent' | 'topUp' | 'faucet'> = {
  hire: async ({ jobId, client, provider, budget, expiresAt }) =>
    call(places.escrow, 'hire', {
      name: 'hire',
      terms: {
        client,
        provider,
        evaluator: places.evaluator,
        expiredAt: Math.floor(expiresAt / 1_000),
        jobKey: jobId,
        budget: String(budget),
      },
    }),
  submit: (id, deliverable) => call(places.escrow, 'submit', { name: 'submit', chainJobId: String(id), deliverable }),
  complete: id => call(places.escrow, 'complete', { name: 'complete', chainJobId: String(id) }),
  reject: id => call(places.escrow, 'reject', { name: 'reject', chainJobId: String(id) }),
  claimRefund: id => call(places.escrow, 'claimRefund', { name: 'claimRefund', chainJobId: String(id) }),
  registerAgent: async ({ owner, wallet }) => call(places.registry, 'register', { name: 'register', owner, wallet }),
  topUp: wallet => ({ to: wallet, data: '0x', value: coinFor.topUp, gas: gas.transfer }),
  faucet: undefined,
}

const sending = (model: ChainModel): Pick<Chain, 'sign' | 'broadcast' | 'hasGas'> => ({
  sign: async (sender, nonce, unsigned) => toSigned({ sender, nonce, call: unsigned }),
  broadcast: async raw => model.accept(fromRaw(raw)),
  hasGas: async (wallet, { value, gas: units }) => (model.state.coin.get(wallet) ?? 0n) >= value + units * model.weather.gasPrice,
})

type Looks = Pick<
  Chain,
  'receipt' | 'transactionCount' | 'head' | 'blockHash' | 'events' | 'job' | 'registeredAgent' | 'usdcBalance' | 'usdcSupply'
>

const looks = (model: ChainModel): Looks => {
  const seen = (): Block => {
    const at = Math.max(0, model.blocks.length - 1 - model.weather.lagBlocks)
    const block = model.blocks[at]
    if (!block) throw new Error('a chain without blocks')
    return block
  }
  const find = (hash: Hex) => {
    const found = model.find(hash)
    return found && found.block.number <= seen().number ? found : undefined
  }
  return {
    receipt: async hash => {
      const found = find(hash)
      return found && toReceipt(hash, found)
    },
    transactionCount: async address => model.state.nonces.get(address) ?? 0,
    head: async () => {
      const { number, hash, seconds } = seen()
      return { number, hash, timeMs: seconds * 1_000 }
    },
    blockHash: async number => (number <= seen().number ? model.blocks[Number(number)]?.hash : undefined),
    events: async (from, to) =>
      model.blocks
        .slice(Number(from), Number(to < seen().number ? to : seen().number) + 1)
        .flatMap(block => block.txs.flatMap(it => it.events)),
    job: async id => {
      const job = model.state.jobs.get(id)
      if (!job) throw new Error(`The contract knows no job ${id}.`)
      const { client, provider, evaluator, budget, expiredAt, status } = job
      return { client, provider, evaluator, budget, expiresAt: expiredAt * 1_000, status }
    },
    registeredAgent: async hash => {
      const mined = find(hash)?.mined
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
