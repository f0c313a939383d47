import type { Address } from '../../../../src/domain/hex.ts'
import type { ChainEvent, TokenEvent } from '../../../../src/ports.ts'
import { allowanceOf, type Journal } from './state.ts'
import type { TokenLog } from './tokenLogs.ts'

/** A reverted call: it had no effect. */
export class Reverted extends Error {}

/** An event of a call before it has a position in a block. */
export type Told = ChainEvent extends infer E
  ? E extends ChainEvent
    ? Omit<E, 'txHash' | 'blockNumber' | 'blockHash' | 'logIndex'>
    : never
  : never
export type ToldOfToken = TokenEvent extends infer E
  ? E extends TokenEvent
    ? Omit<E, 'txHash' | 'blockNumber' | 'blockHash' | 'place' | 'at'>
    : never
  : never

type Setting = { escrow: Address; treasury: Address; evaluator: Address; feeBps: bigint }
/** The caller and the block of a call. */
export type At = Setting & {
  journal: Journal
  sender: Address
  /** Native coin that the call transfers. */
  value: bigint
  seconds: number
  tell(event: Told): void
  tellOfToken(event: ToldOfToken): void
  /** Emits an event of USDC. */
  emit(log: TokenLog): void
}

/** @throws Reverted unless the condition holds */
export const require = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Reverted(otherwise)
}

type Used = { spender: Address; owner: Address; amount: bigint }

/** Takes an amount out of an allowance. */
export const useAllowance = ({ journal }: Pick<At, 'journal'>, asset: Address, { amount, ...of }: Used): void => {
  const { allowances } = journal.state
  const allowed = allowances.get(allowanceOf(asset, of)) ?? 0n
  require(allowed >= amount, 'not approved')
  journal.put(allowances, allowanceOf(asset, of), allowed - amount)
}

type Moved = { from: Address; to: Address; amount: bigint }

export const moveUsdc = ({ journal, emit }: Pick<At, 'journal' | 'emit'>, { from, to, amount }: Moved): void => {
  const { usdc, blocked } = journal.state
  require(!blocked.has(from) && !blocked.has(to), 'the token refuses an address')
  require((usdc.get(from) ?? 0n) >= amount, 'too little USDC')
  journal.put(usdc, from, (usdc.get(from) ?? 0n) - amount)
  journal.put(usdc, to, (usdc.get(to) ?? 0n) + amount)
  emit({ name: 'Transfer', from, to, amount })
}
