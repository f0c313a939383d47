import type { Address, Hex } from '../../../../src/domain/hex.ts'
import type { ChainModel } from './chain.ts'
import { fromData } from './transactions.ts'

/** A transfer as its payer signed it. Amounts in atomic USDC, times in epoch seconds. */
export type SignedTransfer = { from: Address; to: Address; amount: bigint; nonce: Hex; validBefore: number; isPermit: boolean }
/** A signed transfer that the chain made, and whether somebody outside the service sent it. */
export type MadeTransfer = SignedTransfer & { hash: Hex; isForeign: boolean }

/** A name for everything that makes a payment this one: payer, payee, amount and nonce. A used nonce alone proves nothing. */
export const transferKey = (it: Pick<SignedTransfer, 'from' | 'to' | 'amount' | 'nonce'>): string =>
  [it.from, it.to, it.amount, it.nonce].join()

/** All signed transfers that the chain made. */
export const transfersOn = (chain: Pick<ChainModel, 'blocks' | 'foreign'>): MadeTransfer[] =>
  chain.blocks
    .flatMap(block => block.txs)
    .flatMap(({ tx, success }) => {
      const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
      return call?.name === 'pay' ? [{ ...call, hash: tx.hash, isForeign: chain.foreign.has(tx.hash) }] : []
    })
