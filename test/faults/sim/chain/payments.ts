import type { Address, Hex } from '../../../../src/domain/hex.ts'
import type { ChainModel } from './chain.ts'
import { fromData } from './transactions.ts'

/**
 * A transfer as its payer signed it. Amounts in atomic USDC, times in epoch seconds. `facilitator`: only in the scheme `upto`, who
 * alone may take at most the amount.
 */
export type SignedTransfer = {
  from: Address
  to: Address
  amount: bigint
  nonce: Hex
  validBefore: number
  isPermit: boolean
  facilitator?: Address | undefined
}
/** A signed transfer that the chain made, and whether somebody outside the service sent it. */
export type MadeTransfer = SignedTransfer & { hash: Hex; isForeign: boolean }

/** A name for everything that makes a payment this one: payer, payee, amount and nonce. A used nonce alone proves nothing. */
export const transferKey = (it: Pick<SignedTransfer, 'from' | 'to' | 'amount' | 'nonce'>): string =>
  [it.from, it.to, it.amount, it.nonce].join()

/** Whether a transfer was made by a signed payment: with its nonce and terms, and in the scheme `upto` of any amount. */
export const isMadeBy = (made: SignedTransfer, it: SignedTransfer): boolean =>
  transferKey({ ...made, amount: 0n }) === transferKey({ ...it, amount: 0n }) &&
  (it.facilitator !== undefined || made.amount === it.amount)

/** What used a nonce: a transfer, or its withdrawal by the payer. */
export type NonceUse = (({ name: 'pay' } & SignedTransfer) | { name: 'cancel'; from: Address; nonce: Hex; isPermit: boolean }) & {
  hash: Hex
  isForeign: boolean
  to?: Address
  amount?: bigint
}

type Chain = Pick<ChainModel, 'blocks' | 'foreign'>

/** Everything that used a nonce of a payment on the chain. */
export const usesOn = (chain: Chain): NonceUse[] =>
  chain.blocks
    .flatMap(block => block.txs)
    .flatMap(({ tx, success }) => {
      const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
      const made = { hash: tx.hash, isForeign: chain.foreign.has(tx.hash) }
      return call?.name === 'pay' || call?.name === 'cancel' ? [{ ...call, ...made }] : []
    })

/** All signed transfers that the chain made. */
export const transfersOn = (chain: Chain): MadeTransfer[] => usesOn(chain).flatMap(it => (it.name === 'pay' ? [it] : []))
