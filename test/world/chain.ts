import type { Address, Hex } from '../../src/domain/hex.ts'
import { sha256 } from '../../src/domain/json.ts'
import type { Call, Chain, Clock, SignedTransaction } from '../../src/ports.ts'
import { type Deed, decodeCall, encodeCall, replay, type Sent } from './ledger.ts'

type Options = { clock: Clock; seed: string; chainId?: number; feeBps?: number; usdcDecimals?: number }

/** An in-memory chain controlled by the test: nothing is mined before `mine`. */
export type ScriptedChain = Chain & {
  /** Mines one block with every transaction that can be mined. */
  mine(): void
  /** Removes the last blocks, like a reorganisation; their transactions are pending again. */
  orphan(blocks: number): void
  /** Removes the last blocks and drops their transactions from the pool; returns them. */
  steal(blocks: number): { hash: Hex; raw: Hex }[]
  /** All broadcast bytes in order, including repeated ones. */
  broadcasts: Hex[]
  /** Makes the next broadcast throw, before or after the bytes were sent. */
  breakBroadcast(when: 'before' | 'after'): void
  /** Wallets that cannot pay for gas until their next top-up. */
  gasless: Set<Address>
  /** Actions that the contract refuses. */
  refused: Set<Deed['name']>
  /** Sends a transaction of another party. */
  intrude(sender: Address, deed: Deed): void
}

const addressOf = (text: string): Address => `0x${sha256(text).slice(0, 40)}`
const hashOf = (text: string): Hex => `0x${sha256(text)}`

export const createScriptedChain = ({ clock, seed, chainId = 97, feeBps = 0, usdcDecimals = 6 }: Options): ScriptedChain => {
  const [escrow, usdc, registry, evaluator, treasury] = ['escrow', 'usdc', 'registry', 'evaluator', 'treasury'].map(it =>
    addressOf(`${seed}:${it}`),
  )
  if (!escrow || !usdc || !registry || !evaluator || !treasury) throw new RangeError('an address is missing')
  const blocks: { hash: Hex; timeMs: number; sent: Sent[] }[] = [{ hash: hashOf(`${seed}:genesis`), timeMs: 0, sent: [] }]
  const pool = new Map<Hex, Sent>()
  const gasless = new Set<Address>()
  const refused = new Set<Deed['name']>()
  const broadcasts: Hex[] = []
  let broken: 'before' | 'after' | undefined
  let mined = 0

  const state = () => replay(blocks, { evaluator, feeBps, refused })
  const call = (deed: Deed): Call => encodeCall(escrow, deed)
  const toSigned = (sender: Address, nonce: number, of: Call): SignedTransaction & Sent => {
    const raw: Hex = `0x${Buffer.from(JSON.stringify([sender, nonce, of.data])).toString('hex')}`
    return { sender, nonce, deed: decodeCall(of.data), raw, hash: hashOf(raw) }
  }
  const take = (raw: Hex) => {
    const [sender, nonce, data] = JSON.parse(Buffer.from(raw.slice(2), 'hex').toString())
    const sent = { sender, nonce, deed: decodeCall(data), raw, hash: hashOf(raw) }
    if (!state().receipts.has(sent.hash)) pool.set(sent.hash, sent)
  }
  const at = (number: bigint) => blocks[Number(number)]

  return {
    chainId,
    usdcDecimals,
    addresses: { escrow, usdc, registry, reputation: addressOf(`${seed}:reputation`) },
    evaluator,
    treasury,
    feeBps,
    hire: async terms => call({ name: 'hire', ...terms }),
    submit: (chainJobId, deliverable) => call({ name: 'submit', chainJobId, text: deliverable }),
    complete: (chainJobId, text) => call({ name: 'complete', chainJobId, text }),
    completeUsed: (chainJobId, used, text) => call({ name: 'completeUsed', chainJobId, used, text }),
    reject: (chainJobId, text) => call({ name: 'reject', chainJobId, text }),
    claimRefund: chainJobId => call({ name: 'claimRefund', chainJobId, text: '' }),
    registerAgent: async ({ owner }) => call({ name: 'registerAgent', to: owner, amount: 0n }),
    topUp: to => call({ name: 'topUp', to, amount: 1n }),
    faucet: (to, amount) => call({ name: 'faucet', to, amount }),

    sign: async ({ sender, nonce, call: of }) => {
      const { hash, raw } = toSigned(sender, nonce, of)
      return { hash, raw, nonce }
    },
    async broadcast(raw) {
      const fault = broken
      broken = undefined
      if (fault === 'before') throw new Error('the line is cut')
      broadcasts.push(raw)
      take(raw)
      if (fault === 'after') throw new Error('the answer is lost')
    },
    receipt: async hash => state().receipts.get(hash),
    transactionCount: async address => state().counts.get(address) ?? 0,
    hasGas: async wallet => !gasless.has(wallet) || (state().topUps.get(wallet) ?? 0) > (state().counts.get(wallet) ?? 0),

    head: async () => {
      const last = blocks.at(-1)
      return { number: BigInt(blocks.length - 1), hash: last?.hash ?? '0x', timeMs: last?.timeMs ?? 0 }
    },
    blockHash: async number => at(number)?.hash,
    events: async (from, to) => state().events.filter(it => it.blockNumber >= from && it.blockNumber <= to),
    job: async chainJobId => state().jobs.get(chainJobId) ?? Promise.reject(new Error(`no job ${chainJobId}`)),
    registeredAgent: async hash => state().agents.get(hash),
    usdcBalance: async of => state().usdc.get(of) ?? 0n,
    usdcSupply: async () => [...state().usdc.values()].reduce((sum, it) => sum + it, 0n),

    mine() {
      mined += 1
      const counts = state().counts
      const sent: Sent[] = []
      for (const it of [...pool.values()].toSorted((a, b) => a.nonce - b.nonce)) {
        if (it.nonce !== (counts.get(it.sender) ?? 0)) continue
        counts.set(it.sender, it.nonce + 1)
        pool.delete(it.hash)
        sent.push(it)
      }
      blocks.push({ hash: hashOf(`${seed}:${mined}`), timeMs: clock.now(), sent })
    },
    orphan(count) {
      for (const block of blocks.splice(blocks.length - count)) for (const it of block.sent) pool.set(it.hash, it)
    },
    steal: count => blocks.splice(blocks.length - count).flatMap(it => it.sent),
    broadcasts,
    breakBroadcast(when) {
      broken = when
    },
    gasless,
    refused,
    intrude(sender, deed) {
      const waiting = [...pool.values()].filter(it => it.sender === sender).length
      const { raw } = toSigned(sender, (state().counts.get(sender) ?? 0) + waiting, call(deed))
      take(raw)
    },
  }
}
