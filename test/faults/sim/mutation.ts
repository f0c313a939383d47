import type { ButlerDeps } from '../../../graphs/butler/deps.ts'
import type { Address, Hex } from '../../../src/domain/hex.ts'
import type { Caller, Deps } from '../../../src/operations/operation.ts'
import type { Butler, Chain, Store } from '../../../src/ports.ts'
import type { Db } from '../../../src/store/engine/db.ts'
import type { NonceUse } from './chain/payments.ts'
import type { Random } from './random.ts'

/** The ports that a mutation may wrap. */
export type Parts = { store: Store; chain: Chain }

/** What a mutation may use to misbehave. */
export type Hands = {
  db: Db
  random: Random
  /** Lets all other tasks run first. */
  pause(): Promise<void>
  /** The job key of an on-chain job. */
  keyOf(chainJobId: bigint): string | undefined
  /** What used the nonce of a payment on the chain: transfers and withdrawals. */
  usesOf(signed: { from: Address; nonce: Hex }): NonceUse[]
}

/** A request on its way to its operation. */
export type Sent = { name: string; input: unknown; caller: Caller }

/** Removes one safeguard at run time by wrapping the service's dependencies. */
export type Mutation = {
  name: string
  /** The removed safeguard, in words. */
  without: string
  /** Kinds of faults that the safeguard protects against. */
  focus?: readonly number[]
  /** It is looked for where users ask for several things at once. */
  plans?: true
  /** It is looked for where everything is charged by use. */
  byUse?: true
  parts?(parts: Parts, hands: Hands): Parts
  butler?(deps: ButlerDeps, parts: Parts, hands: Hands): ButlerDeps
  advance?(butler: Butler): Butler
  /** Replaces dependencies of operations. */
  deps?(deps: Deps): Deps
  /** Changes a request before the operation gets it. */
  request?(sent: Sent, deps: Deps): Promise<Sent>
}
