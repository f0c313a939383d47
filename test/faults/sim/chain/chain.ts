import type { Address, Hex } from '../../../../src/domain/hex.ts'
import type { Call, ChainEvent } from '../../../../src/ports.ts'
import type { Random } from '../random.ts'
import { type ContractCall, Reverted, runCall, type Told } from './contracts.ts'
import { coinFor, places } from './places.ts'
import { type ChainState, createJournal } from './state.ts'
import { fromData, type Tx, toData, toHash } from './transactions.ts'

type Pooled = Tx & { notBefore: number }
export type MinedTx = { tx: Tx; success: boolean; reason: string; events: ChainEvent[] }
export type Block = { number: bigint; hash: Hex; seconds: number; mark: number; txs: MinedTx[] }

/** What the world does to the chain. */
export type Weather = {
  /** No block before this moment, in epoch ms of the world. */
  haltedUntil: number
  /** How far the chain's time is ahead of the world's. */
  skewMs: number
  /** Blocks by which the node that we ask is behind. */
  lagBlocks: number
  /** Price of a unit of gas in wei. */
  gasPrice: bigint
  /** The next call of these names reverts, as with a paused token. */
  revertNext: Set<ContractCall['name']>
}

export type ChainModel = {
  state: ChainState
  weather: Weather
  blocks: Block[]
  pool: Map<Hex, Pooled>
  /** Told of every transaction that reaches the node, before anything else. */
  onAccept(hash: Hex): void
  /** Takes a transaction as a node would: known and outdated ones without a word. @throws Error when the sender is broke */
  accept(tx: Tx): void
  /** Makes a block of what can go. */
  mine(): Block | undefined
  /** A contract call of somebody who is not us, in a block of its own; false when it reverted. */
  callFrom(sender: Address, call: ContractCall): boolean
  mint(to: Address, amount: bigint): void
  /** The owner moves USDC elsewhere, past the service. */
  withdraw(from: Address, amount: bigint): void
  setBlocked(address: Address, isBlocked: boolean): void
  give(to: Address, coin: bigint): void
  /** The newest blocks were not the chain; their transactions wait again, except those that the pool forgot. */
  reorg(depth: number, forgets: number): void
  supply(): bigint
  find(hash: Hex): { block: Block; mined: MinedTx } | undefined
}

type Ground = { random: Random; now(): number; feeBps: number }

export const createChainModel = ({ random, now, feeBps }: Ground): ChainModel => {
  const journal = createJournal()
  const { state } = journal
  const weather: Weather = { haltedUntil: 0, skewMs: 0, lagBlocks: 0, gasPrice: 10n ** 9n, revertNext: new Set() }
  const pool = new Map<Hex, Pooled>()
  const index = new Map<Hex, { block: Block; mined: MinedTx }>()
  let supply = 0n
  let salt = 0
  const blocks: Block[] = [{ number: 0n, hash: toHash('genesis'), seconds: Math.floor(now() / 1_000), mark: 0, txs: [] }]

  const newBlock = (): Block => {
    const last = blocks.at(-1)
    if (!last) throw new Error('a chain without a genesis')
    const seconds = Math.max(last.seconds, Math.floor((now() + weather.skewMs) / 1_000))
    return { number: last.number + 1n, hash: toHash(`${last.hash}/${salt}`), seconds, mark: journal.mark(), txs: [] }
  }

  const nextOf = (sender: Address) => state.nonces.get(sender) ?? 0
  const costOf = ({ gas, value }: Call) => gas * weather.gasPrice + value
  const mayGo = (it: Pooled) =>
    it.nonce === nextOf(it.sender) && it.notBefore <= now() && (state.coin.get(it.sender) ?? 0n) >= costOf(it.call)

  const runIn = (block: Block, sender: Address, call: ReturnType<typeof fromData>): Told[] => {
    const told: Told[] = []
    if (weather.revertNext.delete(call.name)) throw new Reverted('the token is paused')
    const setting = { escrow: places.escrow, treasury: places.treasury, feeBps: BigInt(feeBps) }
    runCall({ ...setting, journal, sender, seconds: block.seconds, tell: event => told.push(event) }, call)
    return told
  }

  const runTx = (block: Block, tx: Tx): MinedTx => {
    journal.put(state.nonces, tx.sender, tx.nonce + 1)
    pay(tx.sender, undefined, tx.call.gas * weather.gasPrice)
    const mark = journal.mark()
    try {
      const told = tx.call.data === '0x' ? [] : runIn(block, tx.sender, fromData(tx.call.data))
      pay(tx.sender, tx.call.to, tx.call.value)
      const from = block.txs.reduce((sum, it) => sum + it.events.length, 0)
      const at = { txHash: tx.hash, blockNumber: block.number, blockHash: block.hash }
      return { tx, success: true, reason: '', events: told.map((it, place) => ({ ...it, ...at, logIndex: from + place })) }
    } catch (error) {
      if (!(error instanceof Reverted)) throw error
      journal.backTo(mark)
      return { tx, success: false, reason: error.message, events: [] }
    }
  }

  const pay = (from: Address, to: Address | undefined, amount: bigint) => {
    if (amount === 0n) return
    journal.put(state.coin, from, (state.coin.get(from) ?? 0n) - amount)
    if (to) journal.put(state.coin, to, (state.coin.get(to) ?? 0n) + amount)
  }

  const append = (block: Block, tx: Tx): MinedTx => {
    const mined = runTx(block, tx)
    block.txs.push(mined)
    index.set(tx.hash, { block, mined })
    pool.delete(tx.hash)
    for (const it of pool.values()) if (it.sender === tx.sender && it.nonce <= tx.nonce) pool.delete(it.hash)
    return mined
  }

  const close = (block: Block) => {
    blocks.push(block)
    const sum = [...state.usdc.values()].reduce((total, it) => total + it, 0n)
    if (sum !== supply) throw new Error(`the modelled token holds ${sum} of ${supply}`)
    return block
  }

  const fill = (block: Block) => {
    const most = 1 + random.int(8)
    for (let left = most; left > 0; left--) {
      const ready = [...pool.values()].filter(mayGo)
      if (ready.length === 0) return
      append(block, random.pick(ready))
    }
  }

  const model: ChainModel = {
    state,
    weather,
    blocks,
    pool,
    onAccept: () => {},
    accept(tx) {
      model.onAccept(tx.hash)
      if (pool.has(tx.hash) || index.has(tx.hash) || tx.nonce < nextOf(tx.sender)) return
      if ((state.coin.get(tx.sender) ?? 0n) < costOf(tx.call))
        throw new Error('The node refuses the transaction: insufficient funds')
      pool.set(tx.hash, { ...tx, notBefore: 0 })
    },
    mine() {
      if (weather.haltedUntil > now()) return undefined
      const block = newBlock()
      fill(block)
      return close(block)
    },
    callFrom(sender, call) {
      journal.put(state.coin, sender, coinFor.stranger)
      const data = toData(call)
      const nonce = nextOf(sender)
      const block = newBlock()
      const tx = {
        hash: toHash(`${block.hash}/${sender}/${data}`),
        sender,
        nonce,
        call: { to: places.escrow, data, value: 0n, gas: 100_000n },
      }
      const { success } = append(block, tx)
      close(block)
      return success
    },
    mint(to, amount) {
      supply += amount
      journal.put(state.usdc, to, (state.usdc.get(to) ?? 0n) + amount)
    },
    withdraw(from, amount) {
      const { usdc, withdrawn } = state
      journal.put(usdc, from, (usdc.get(from) ?? 0n) - amount)
      journal.put(usdc, places.outside, (usdc.get(places.outside) ?? 0n) + amount)
      journal.put(withdrawn, from, (withdrawn.get(from) ?? 0n) + amount)
    },
    setBlocked(address, isBlocked) {
      if (isBlocked) state.blocked.set(address, true)
      else state.blocked.delete(address)
    },
    give: (to, coin) => journal.put(state.coin, to, (state.coin.get(to) ?? 0n) + coin),
    reorg(depth, forgets) {
      salt += 1
      const dropped = blocks.splice(Math.max(1, blocks.length - depth))
      const [oldest] = dropped
      if (oldest) journal.backTo(oldest.mark)
      for (const { tx } of dropped.flatMap(block => block.txs)) {
        index.delete(tx.hash)
        if (!random.chance(forgets)) pool.set(tx.hash, { ...tx, notBefore: 0 })
      }
      for (let left = dropped.length + 1; left > 0; left--) {
        const block = newBlock()
        if (random.chance(0.5)) fill(block)
        close(block)
      }
    },
    supply: () => supply,
    find: hash => index.get(hash),
  }
  return model
}
