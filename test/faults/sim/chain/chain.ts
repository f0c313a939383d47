import { type BroadcastRefusal, BroadcastRefused } from '../../../../src/domain/chains/broadcast.ts'
import type { Address, Hex } from '../../../../src/domain/hex.ts'
import type { Call } from '../../../../src/ports.ts'
import type { Random } from '../random.ts'
import { toTransferCall } from './calldata.ts'
import type { ContractCall } from './contracts.ts'
import { type Block, type MinedTx, runTransaction, tryCall, type Weather } from './execution.ts'
import { holding } from './launchpad.ts'
import { places, usualGasPrice } from './places.ts'
import { allowanceOf, type ChainState, createJournal, type Journal } from './state.ts'
import { type Tx, toData, toHash } from './transactions.ts'

type Pooled = Tx & { notBefore: number }

export type ChainModel = {
  state: ChainState
  weather: Weather
  blocks: Block[]
  pool: Map<Hex, Pooled>
  /** Called first for every transaction that reaches the node. */
  onAccept(hash: Hex): void
  /**
   * Accepts a transaction like a node; a known one is accepted again.
   * @throws BroadcastRefused
   */
  accept(tx: Tx): void
  /** Mines a block of the executable transactions. */
  mine(): Block | undefined
  /** Executes a contract call of another party in its own block; false when it reverted. */
  callFrom(sender: Address, call: ContractCall): boolean
  mint(to: Address, amount: bigint): void
  giveWrapped(to: Address, amount: bigint): void
  /** The owner lets Permit2 take USDC. */
  approvePermit2(owner: Address, amount: bigint): void
  /** The owner transfers USDC elsewhere without the service. */
  withdraw(from: Address, amount: bigint): void
  setBlocked(address: Address, isBlocked: boolean): void
  give(to: Address, coin: bigint): void
  /** The reason why a call would revert in the next block; undefined when it would succeed. */
  attempt(sender: Address, call: Call): string | undefined
  /** Removes the newest blocks. Their transactions return to the pool, except dropped ones. */
  reorg(depth: number, how: Reorg): void
  /** Transactions that others signed with the same key. */
  foreign: Set<Hex>
  /** The highest transaction count that each address ever had, including removed branches. */
  maxNonces: Map<Address, number>
  supply(): bigint
  find(hash: Hex): { block: Block; mined: MinedTx } | undefined
}

/** `forgets` is the share of transactions that the pool drops too. For `usurped` senders, others use one of their nonces. */
export type Reorg = { forgets: number; usurped?: ((sender: Address) => boolean) | undefined }

type Given = { random: Random; now(): number; feeBps: number }

type Core = Given & {
  journal: Journal
  weather: Weather
  pool: Map<Hex, Pooled>
  index: Map<Hex, { block: Block; mined: MinedTx }>
  blocks: Block[]
  supply: bigint
  foreign: Set<Hex>
  maxNonces: Map<Address, number>
  /** Number of reorganisations so far. It makes block hashes of branches differ. */
  branch: number
}

export const createChainModel = (given: Given): ChainModel => {
  const core: Core = {
    ...given,
    journal: createJournal(),
    weather: {
      haltedUntil: 0,
      skewMs: 0,
      lagBlocks: 0,
      gasPrice: usualGasPrice,
      revertNext: new Set(),
      outOfTurn: undefined,
      ignoresFilters: false,
    },
    pool: new Map(),
    index: new Map(),
    blocks: [{ number: 0n, hash: toHash('genesis'), seconds: Math.floor(given.now() / 1_000), mark: 0, txs: [] }],
    supply: 0n,
    foreign: new Set(),
    maxNonces: new Map(),
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
    approvePermit2: (owner, amount) =>
      journal.put(state.allowances, allowanceOf(places.usdc, { spender: places.permit2, owner }), amount),
    giveWrapped(to, amount) {
      const { tokens, givenWrapped } = state
      const at = holding(places.wrappedCoin, to)
      journal.put(tokens, at, (tokens.get(at) ?? 0n) + amount)
      journal.put(givenWrapped, to, (givenWrapped.get(to) ?? 0n) + amount)
    },
    withdraw(from, amount) {
      const { usdc, withdrawn } = state
      journal.put(usdc, from, (usdc.get(from) ?? 0n) - amount)
      journal.put(usdc, places.outside, (usdc.get(places.outside) ?? 0n) + amount)
      journal.put(withdrawn, from, (withdrawn.get(from) ?? 0n) + amount)
    },
    setBlocked: (address, isBlocked) => void (isBlocked ? state.blocked.set(address, true) : state.blocked.delete(address)),
    give: (to, coin) => journal.put(state.coin, to, (state.coin.get(to) ?? 0n) + coin),
    attempt: (sender, call) => tryCall(core, { sender, call, seconds: newBlock(core).seconds }),
    reorg: (depth, how) => reorg(core, depth, how),
    foreign: core.foreign,
    maxNonces: core.maxNonces,
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

const canPay = ({ journal }: Core, { sender, fee, call }: Tx) =>
  (journal.state.coin.get(sender) ?? 0n) >= call.gas * fee + call.value

const accept = (core: Core, tx: Tx) => {
  const { pool, index } = core
  if (pool.has(tx.hash) || index.has(tx.hash)) return
  const refusal = refusalOf(core, tx)
  if (refusal) throw new BroadcastRefused(refusal, refusal)
  // The replaced transaction may still be mined, because not every node knows the replacement.
  pool.set(tx.hash, { ...tx, notBefore: 0 })
}

const refusalOf = (core: Core, tx: Tx): BroadcastRefusal | undefined => {
  const { pool, weather } = core
  const count = nonceOf(core, tx.sender)
  const own = [...pool.values()].filter(it => it.sender === tx.sender)
  if (tx.nonce < count) return 'nonce-too-low'
  if (tx.fee < weather.gasPrice) return 'fee-too-low'
  if (!canPay(core, tx)) return 'unfunded'
  if (own.some(it => it.nonce === tx.nonce && tx.fee * 10n < it.fee * 11n)) return 'replacement-underpriced'
  const isNext = tx.nonce === count || own.some(it => it.nonce === tx.nonce - 1)
  return isNext ? undefined : weather.outOfTurn
}

const append = (core: Core, block: Block, tx: Tx): MinedTx => {
  const { pool, index } = core
  const mined = runTransaction(core, block, tx)
  block.txs.push(mined)
  core.maxNonces.set(tx.sender, Math.max(core.maxNonces.get(tx.sender) ?? 0, tx.nonce + 1))
  index.set(tx.hash, { block, mined })
  pool.delete(tx.hash)
  for (const it of pool.values()) if (it.sender === tx.sender && it.nonce <= tx.nonce) pool.delete(it.hash)
  return mined
}

/** Adds executable transactions in any order that nonces allow. */
const fill = (core: Core, block: Block) => {
  const mayGo = (it: Pooled) =>
    it.nonce === nonceOf(core, it.sender) && it.notBefore <= core.now() && it.fee >= core.weather.gasPrice && canPay(core, it)
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
  forgetUnpaid(core)
  return close(core, block)
}

/** The pool drops transactions whose sender cannot pay, and refuses them when they are sent again. */
const forgetUnpaid = (core: Core) => {
  for (const it of core.pool.values()) if (!canPay(core, it)) core.pool.delete(it.hash)
}

const callFrom = (core: Core, sender: Address, call: ContractCall): boolean => {
  const block = newBlock(core)
  const { success } = appendForeign(core, block, { sender, call })
  close(core, block)
  return success
}

/** A transaction that others signed and funded. */
const appendForeign = (core: Core, block: Block, { sender, call }: { sender: Address; call: ContractCall }): MinedTx => {
  const { journal, weather } = core
  const { coin } = journal.state
  const { to, data } = call.name === 'pay' ? toTransferCall(call) : { to: places.escrow, data: toData(call) }
  const nonce = nonceOf(core, sender)
  const unsigned = { sender, nonce, fee: weather.gasPrice, call: { to, data, value: 0n, gas: 100_000n } }
  const hash = toHash(`${block.hash}/${sender}/${nonce}/${data}`)
  journal.put(coin, sender, (coin.get(sender) ?? 0n) + unsigned.call.gas * weather.gasPrice)
  core.foreign.add(hash)
  return append(core, block, { ...unsigned, hash })
}

const reorg = (core: Core, depth: number, { forgets, usurped }: Reorg) => {
  const { blocks, journal, index, pool, random } = core
  core.branch += 1
  const dropped = blocks.splice(Math.max(1, blocks.length - depth))
  const [oldest] = dropped
  if (oldest) journal.backTo(oldest.mark)
  const gone = dropped.flatMap(block => block.txs).map(it => it.tx)
  for (const tx of gone) {
    index.delete(tx.hash)
    if (!random.chance(forgets)) pool.set(tx.hash, { ...tx, notBefore: 0 })
  }
  if (usurped) usurp(core, gone, usurped)
  // The new branch must be longer.
  for (let left = dropped.length + 1; left > 0; left--) {
    const block = newBlock(core)
    if (random.chance(0.5)) fill(core, block)
    close(core, block)
  }
}

/** For some senders, the lowest nonce of the removed blocks is used by a transaction of others. */
const usurp = (core: Core, gone: Tx[], isUsurped: (sender: Address) => boolean) => {
  const victims = gone.filter(it => isUsurped(it.sender))
  if (victims.length === 0) return
  const block = newBlock(core)
  const call: ContractCall = { name: 'transfer', to: places.outside, amount: '0' }
  appendForeign(core, block, { sender: core.random.pick(victims).sender, call })
  close(core, block)
}
