import type { Address, Hex } from '../../../../src/domain/hex.ts'
import type { Call } from '../../../../src/ports.ts'
import type { Random } from '../random.ts'
import type { ContractCall } from './contracts.ts'
import { type Block, type MinedTx, runTransaction, type Weather } from './execution.ts'
import { coinFor, places } from './places.ts'
import { type ChainState, createJournal, type Journal } from './state.ts'
import { type Tx, toData, toHash } from './transactions.ts'

type Pooled = Tx & { notBefore: number }

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

type Given = { random: Random; now(): number; feeBps: number }

type Core = Given & {
  journal: Journal
  weather: Weather
  pool: Map<Hex, Pooled>
  index: Map<Hex, { block: Block; mined: MinedTx }>
  blocks: Block[]
  supply: bigint
  /** Number of reorgs so far: blocks of another branch have other hashes. */
  branch: number
}

export const createChainModel = (given: Given): ChainModel => {
  const core: Core = {
    ...given,
    journal: createJournal(),
    weather: { haltedUntil: 0, skewMs: 0, lagBlocks: 0, gasPrice: 10n ** 9n, revertNext: new Set() },
    pool: new Map(),
    index: new Map(),
    blocks: [{ number: 0n, hash: toHash('genesis'), seconds: Math.floor(given.now() / 1_000), mark: 0, txs: [] }],
    supply: 0n,
    branch: 0,
  }
  const { weather, blocks, pool, index, journal } = core
  const { state } = journal
  const model: ChainModel = {
    state,
    weather,
    blocks,
    pool,
    onAccept: () => {},
    accept(tx) {
      model.onAccept(tx.hash)
      accept(core, tx)
    },
    mine: () => mine(core),
    callFrom: (sender, call) => callFrom(core, sender, call),
    mint(to, amount) {
      core.supply += amount
      journal.put(state.usdc, to, (state.usdc.get(to) ?? 0n) + amount)
    },
    withdraw(from, amount) {
      const { usdc, withdrawn } = state
      journal.put(usdc, from, (usdc.get(from) ?? 0n) - amount)
      journal.put(usdc, places.outside, (usdc.get(places.outside) ?? 0n) + amount)
      journal.put(withdrawn, from, (withdrawn.get(from) ?? 0n) + amount)
    },
    setBlocked: (address, isBlocked) => void (isBlocked ? state.blocked.set(address, true) : state.blocked.delete(address)),
    give: (to, coin) => journal.put(state.coin, to, (state.coin.get(to) ?? 0n) + coin),
    reorg: (depth, forgets) => reorg(core, depth, forgets),
    supply: () => core.supply,
    find: hash => index.get(hash),
  }
  return model
}

const newBlock = ({ blocks, now, weather, journal, branch }: Core): Block => {
  const last = blocks.at(-1)
  if (!last) throw new Error('a chain without a genesis')
  const seconds = Math.max(last.seconds, Math.floor((now() + weather.skewMs) / 1_000))
  return { number: last.number + 1n, hash: toHash(`${last.hash}/${branch}`), seconds, mark: journal.mark(), txs: [] }
}

const nonceOf = ({ journal }: Core, sender: Address) => journal.state.nonces.get(sender) ?? 0

const canPay = ({ journal, weather }: Core, sender: Address, { gas, value }: Call) =>
  (journal.state.coin.get(sender) ?? 0n) >= gas * weather.gasPrice + value

const accept = (core: Core, tx: Tx) => {
  const { pool, index } = core
  if (pool.has(tx.hash) || index.has(tx.hash) || tx.nonce < nonceOf(core, tx.sender)) return
  if (!canPay(core, tx.sender, tx.call)) throw new Error('The node refuses the transaction: insufficient funds')
  pool.set(tx.hash, { ...tx, notBefore: 0 })
}

const append = (core: Core, block: Block, tx: Tx): MinedTx => {
  const { pool, index } = core
  const mined = runTransaction(core, block, tx)
  block.txs.push(mined)
  index.set(tx.hash, { block, mined })
  pool.delete(tx.hash)
  for (const it of pool.values()) if (it.sender === tx.sender && it.nonce <= tx.nonce) pool.delete(it.hash)
  return mined
}

/** Takes what can go, in any order that the nonces leave. */
const fill = (core: Core, block: Block) => {
  const mayGo = (it: Pooled) =>
    it.nonce === nonceOf(core, it.sender) && it.notBefore <= core.now() && canPay(core, it.sender, it.call)
  for (let left = 1 + core.random.int(8); left > 0; left--) {
    const ready = [...core.pool.values()].filter(mayGo)
    if (ready.length === 0) return
    append(core, block, core.random.pick(ready))
  }
}

const close = ({ blocks, journal, supply }: Core, block: Block): Block => {
  blocks.push(block)
  const sum = [...journal.state.usdc.values()].reduce((total, it) => total + it, 0n)
  if (sum !== supply) throw new Error(`the modelled token holds ${sum} of ${supply}`)
  return block
}

const mine = (core: Core): Block | undefined => {
  if (core.weather.haltedUntil > core.now()) return undefined
  const block = newBlock(core)
  fill(core, block)
  return close(core, block)
}

const callFrom = (core: Core, sender: Address, call: ContractCall): boolean => {
  const { journal } = core
  journal.put(journal.state.coin, sender, coinFor.stranger)
  const data = toData(call)
  const block = newBlock(core)
  const hash = toHash(`${block.hash}/${sender}/${data}`)
  const transaction = { hash, sender, nonce: nonceOf(core, sender), call: { to: places.escrow, data, value: 0n, gas: 100_000n } }
  const { success } = append(core, block, transaction)
  close(core, block)
  return success
}

const reorg = (core: Core, depth: number, forgets: number) => {
  const { blocks, journal, index, pool, random } = core
  core.branch += 1
  const dropped = blocks.splice(Math.max(1, blocks.length - depth))
  const [oldest] = dropped
  if (oldest) journal.backTo(oldest.mark)
  for (const { tx } of dropped.flatMap(block => block.txs)) {
    index.delete(tx.hash)
    if (!random.chance(forgets)) pool.set(tx.hash, { ...tx, notBefore: 0 })
  }
  // The other branch is the longer one.
  for (let left = dropped.length + 1; left > 0; left--) {
    const block = newBlock(core)
    if (random.chance(0.5)) fill(core, block)
    close(core, block)
  }
}
