import type { BroadcastRefusal } from '../../../../src/domain/chains/broadcast.ts'
import type { Address, Hex } from '../../../../src/domain/hex.ts'
import type { ChainEvent, TokenEvent } from '../../../../src/ports.ts'
import { type ContractCall, runCall } from './contracts.ts'
import { places } from './places.ts'
import { Reverted, type Told, type ToldOfToken } from './rules.ts'
import type { Journal } from './state.ts'
import type { TokenLog } from './tokenLogs.ts'
import { fromData, type Tx } from './transactions.ts'

export type MinedTx = {
  tx: Tx
  success: boolean
  reason: string
  events: ChainEvent[]
  tokenEvents: TokenEvent[]
  logs: TokenLog[]
}
export type Block = { number: bigint; hash: Hex; seconds: number; mark: number; txs: MinedTx[] }

/** The present conditions of the chain. */
export type Weather = {
  /** No block is mined before this simulated time in epoch ms. */
  haltedUntil: number
  /** Offset of block times ahead of simulated time, in ms. */
  skewMs: number
  /** Number of blocks by which the queried node lags behind. */
  lagBlocks: number
  /** Gas price in wei. */
  gasPrice: bigint
  /** Calls that revert the next time, as with a paused token. */
  revertNext: Set<ContractCall['name']>
  /** The refusal of a transaction whose nonce is not the next one; undefined for a node that queues it. */
  outOfTurn: BroadcastRefusal | undefined
  /** Whether the node answers a search for logs with all logs of the token. */
  ignoresFilters: boolean
}

type Executing = { journal: Journal; weather: Weather; feeBps: number }

/** Executes a transaction in a block. The gas is paid and the nonce used, even when the call reverts. */
export const runTransaction = (at: Executing, block: Block, tx: Tx): MinedTx => {
  const { journal, weather } = at
  const { sender, call } = tx
  journal.put(journal.state.nonces, sender, tx.nonce + 1)
  pay(journal, { from: sender, to: undefined, amount: call.gas * weather.gasPrice })
  const mark = journal.mark()
  try {
    const { told, ofTokens, logs } = call.data === '0x' ? { told: [], ofTokens: [], logs: [] } : runContract(at, block, tx)
    pay(journal, { from: sender, to: call.to, amount: call.value })
    return {
      tx,
      success: true,
      reason: '',
      events: place(told, block, tx.hash),
      tokenEvents: placeOfTokens(ofTokens, block, tx.hash),
      logs,
    }
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    journal.backTo(mark)
    return { tx, success: false, reason: error.message, events: [], tokenEvents: [], logs: [] }
  }
}

const runContract = (at: Executing, { seconds }: Block, { sender, call }: Tx) => {
  const { value } = call
  const told: Told[] = []
  const ofTokens: ToldOfToken[] = []
  const logs: TokenLog[] = []
  const asked = fromData(call.data)
  if (at.weather.revertNext.delete(asked.name)) throw new Reverted('the token is paused')
  const setting = { escrow: places.escrow, treasury: places.treasury, evaluator: places.evaluator, feeBps: BigInt(at.feeBps) }
  const tell = {
    tell: (event: Told) => told.push(event),
    tellOfToken: (event: ToldOfToken) => ofTokens.push(event),
    emit: (log: TokenLog) => logs.push(log),
  }
  runCall({ ...setting, ...tell, journal: at.journal, sender, value, seconds }, asked)
  return { told, ofTokens, logs }
}

/** The reason why a call would revert in a block at this time. It leaves no effect. */
export const tryCall = (at: Executing, { sender, call, seconds }: Pick<Tx, 'sender' | 'call'> & { seconds: number }) => {
  if (call.data === '0x') return undefined
  const mark = at.journal.mark()
  const setting = { escrow: places.escrow, treasury: places.treasury, evaluator: places.evaluator, feeBps: BigInt(at.feeBps) }
  try {
    runCall(
      {
        ...setting,
        journal: at.journal,
        sender,
        value: call.value,
        seconds,
        tell: () => {},
        tellOfToken: () => {},
        emit: () => {},
      },
      fromData(call.data),
    )
    return undefined
  } catch (error) {
    if (error instanceof Reverted) return error.message
    throw error
  } finally {
    at.journal.backTo(mark)
  }
}

const place = (told: Told[], { number, hash, txs }: Block, txHash: Hex): ChainEvent[] => {
  const before = txs.reduce((sum, it) => sum + it.events.length, 0)
  const at = { txHash, blockNumber: number, blockHash: hash }
  return told.map((it, index) => ({ ...it, ...at, logIndex: before + index }))
}

const placeOfTokens = (told: ToldOfToken[], { number, hash, seconds }: Block, txHash: Hex): TokenEvent[] =>
  told.map((it, place) => ({ ...it, txHash, blockNumber: number, blockHash: hash, place, at: seconds * 1_000 }))

const pay = ({ put, state }: Journal, { from, to, amount }: { from: Address; to: Address | undefined; amount: bigint }) => {
  if (amount === 0n) return
  put(state.coin, from, (state.coin.get(from) ?? 0n) - amount)
  if (to) put(state.coin, to, (state.coin.get(to) ?? 0n) + amount)
}
