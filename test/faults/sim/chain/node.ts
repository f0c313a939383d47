import { createPublicClient, custom, decodeFunctionData, encodeFunctionResult, erc20Abi, parseAbi, toHex } from 'viem'
import { z } from 'zod'
import type { Node } from '../../../../src/chain/rpc/node.ts'
import { type Address, address, type Hex, hex } from '../../../../src/domain/hex.ts'
import type { ChainModel } from './chain.ts'
import type { Block, MinedTx } from './execution.ts'
import { places } from './places.ts'
import { allowanceOf } from './state.ts'
import { encodeLog, type TokenLog } from './tokenLogs.ts'
import { fromData } from './transactions.ts'

const abi = [
  ...erc20Abi,
  ...parseAbi([
    'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
    'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  ]),
] as const

/** The methods of a node that the service calls for signed transfers. */
export type Rpc = Record<Method, (params: unknown[]) => Promise<unknown>>
const methods = [
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_getLogs',
  'eth_call',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
] as const
type Method = (typeof methods)[number]
const isMethod = (name: string): name is Method => methods.some(it => it === name)

const filter = z.object({
  fromBlock: hex.optional(),
  toBlock: z.string().optional(),
  topics: z.array(z.union([hex, z.array(hex), z.null()])).default([]),
})
const asked = z.object({ to: address.or(hex), data: hex })

/** The answer of a node to a call that the contract refuses. */
const reverted = () => Object.assign(new Error('execution reverted'), { code: 3 })

/** A node of the modelled chain as JSON-RPC: blocks up to its head, the events of the token, and the state of the token and Permit2. */
export const createRpc = (model: ChainModel): Rpc => {
  const head = () => Math.max(0, model.blocks.length - 1 - model.weather.lagBlocks)
  const numberOf = (tag: unknown) => (typeof tag === 'string' && tag.startsWith('0x') ? Math.min(Number(tag), head()) : head())
  const find = (hash: unknown) => {
    const found = model.find(hex.parse(hash))
    return found && Number(found.block.number) <= head() ? found : undefined
  }
  return {
    eth_blockNumber: async () => toHex(head()),
    eth_getBlockByNumber: async ([tag]) => toBlock(model.blocks[numberOf(tag)]),
    async eth_getLogs([of]) {
      const { fromBlock, toBlock, topics } = filter.parse(of)
      const logs = model.blocks.slice(Number(fromBlock ?? 0), numberOf(toBlock) + 1).flatMap(toLogs)
      return model.weather.ignoresFilters ? logs : logs.filter(it => topics.every((topic, at) => fits(topic, it.topics[at])))
    },
    async eth_call([call, tag]) {
      const { to, data } = asked.parse(call)
      const known = { to: address.parse(to.toLowerCase()), data, value: 0n, gas: 0n }
      const read = readState(model, data, numberOf(tag))
      if (read !== undefined) return read
      if (model.attempt(places.treasury, known) !== undefined) throw reverted()
      return '0x'
    },
    async eth_getTransactionByHash([hash]) {
      const found = find(hash)
      return found ? toTransaction(found.block, found.mined) : null
    },
    async eth_getTransactionReceipt([hash]) {
      const found = find(hash)
      return found ? toReceipt(found.block, found.mined) : null
    },
  }
}

/**
 * The service's own client for a node of the modelled chain. Each call has a client of its own, because a client shares the answer of a
 * call under way, which may belong to a frozen task.
 */
export const createModelNode = (rpc: Rpc): Node => {
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    if (!isMethod(method)) throw new RangeError(`the modelled node has no ${method}`)
    return rpc[method](z.array(z.unknown()).default([]).parse(params))
  }
  const connect = () => createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 })
  return new Proxy(connect(), { get: (_, member) => Reflect.get(connect(), member) })
}

const fits = (topic: Hex | Hex[] | null, is: Hex | undefined) =>
  topic === null || (typeof topic === 'string' ? topic === is : is !== undefined && topic.includes(is))

const toBlock = (block: Block | undefined) =>
  block && { number: toHex(block.number), hash: block.hash, timestamp: toHex(block.seconds), transactions: [] }

const placeOf = ({ number, hash }: Block, { tx }: MinedTx, transactionIndex: number) => ({
  ...{ blockNumber: toHex(number), blockHash: hash, transactionHash: tx.hash, transactionIndex: toHex(transactionIndex) },
})

const toLogs = (block: Block) => {
  let place = 0
  return block.txs.flatMap((mined, at) =>
    mined.logs.map((log: TokenLog) => ({
      ...{ address: places.usdc, ...encodeLog(log), ...placeOf(block, mined, at) },
      ...{ logIndex: toHex(place++), removed: false },
    })),
  )
}

const toTransaction = (block: Block, mined: MinedTx) => {
  const { hash, sender, nonce, fee, call } = mined.tx
  const { transactionHash: _, ...place } = placeOf(block, mined, block.txs.indexOf(mined))
  return {
    ...{ ...place, hash, from: sender, nonce: toHex(nonce), to: call.to ?? null, input: call.data, type: '0x0' },
    ...{ value: toHex(call.value), gas: toHex(call.gas), gasPrice: toHex(fee) },
  }
}

const toReceipt = (block: Block, mined: MinedTx) => ({
  ...placeOf(block, mined, block.txs.indexOf(mined)),
  ...{ from: mined.tx.sender, to: mined.tx.call.to ?? null, contractAddress: null, type: '0x0', logsBloom: '0x' },
  ...{ status: mined.success ? '0x1' : '0x0', cumulativeGasUsed: '0x0', gasUsed: '0x0', effectiveGasPrice: '0x0' },
  logs: toLogs(block).filter(it => it.transactionHash === mined.tx.hash),
})

/** Reads a view of the token or of Permit2 at a block; undefined for other calls. */
const readState = (model: ChainModel, data: Hex, number: number): Hex | undefined => {
  const view = decodeView(data)
  if (!view) return undefined
  const { state } = model
  if (view.functionName === 'balanceOf')
    return encodeFunctionResult({ abi, functionName: 'balanceOf', result: state.usdc.get(lower(view.args[0])) ?? 0n })
  if (view.functionName === 'allowance') {
    const [owner, spender] = view.args
    const result = state.allowances.get(allowanceOf(places.usdc, { spender: lower(spender), owner: lower(owner) })) ?? 0n
    return encodeFunctionResult({ abi, functionName: 'allowance', result })
  }
  const blocks = model.blocks.slice(0, number + 1)
  if (view.functionName === 'authorizationState') {
    const [authorizer, nonce] = view.args
    const result = blocks.some(block => block.txs.some(it => it.logs.some(log => isUseOf(log, lower(authorizer), nonce))))
    return encodeFunctionResult({ abi, functionName: 'authorizationState', result })
  }
  if (view.functionName !== 'nonceBitmap') return undefined
  const [owner, word] = view.args
  const used = blocks.flatMap(block => block.txs).flatMap(it => permitNonces(it, lower(owner)))
  const result = used.filter(it => it >> 8n === word).reduce((bits, it) => bits | (1n << (it & 255n)), 0n)
  return encodeFunctionResult({ abi, functionName: 'nonceBitmap', result })
}

const lower = (text: string): Address => address.parse(text.toLowerCase())

const decodeView = (data: Hex) => {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return undefined // a call that is tried, not a view
  }
}

const isUseOf = (log: TokenLog, authorizer: Address, nonce: Hex) =>
  log.name !== 'Transfer' && log.authorizer === authorizer && log.nonce === nonce

/** The nonces of Permit2 that a transaction used up. */
const permitNonces = ({ tx, success }: MinedTx, owner: Address): bigint[] => {
  const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
  return (call?.name === 'pay' || call?.name === 'cancel') && call.isPermit && call.from === owner ? [BigInt(call.nonce)] : []
}
