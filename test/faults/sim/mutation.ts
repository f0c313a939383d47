import type { ButlerDeps } from '../../../graphs/butler/deps.ts'
import type { Caller, Deps } from '../../../src/operations/operation.ts'
import type { Butler, Chain, Store } from '../../../src/ports.ts'
import type { Db } from '../../../src/store/engine/db.ts'
import type { Random } from './random.ts'

/** What a mutation may put something in front of. */
export type Parts = { store: Store; chain: Chain }

/** What it has at hand to do the wrong thing. */
export type Hands = {
  db: Db
  random: Random
  /** Lets everybody else go on first. */
  pause(): Promise<void>
  /** The job key that a job on chain carries. */
  keyOf(chainJobId: bigint): string | undefined
}

/** A request on its way to its operation. */
export type Sent = { name: string; input: unknown; caller: Caller }

/** One safeguard taken out at run time, by wrapping what the product is given. */
export type Mutation = {
  name: string
  /** What is missing then. */
  without: string
  /** Kinds of fault that need the safeguard. */
  focus?: readonly number[]
  parts?(parts: Parts, hands: Hands): Parts
  butler?(deps: ButlerDeps, parts: Parts, hands: Hands): ButlerDeps
  advance?(butler: Butler): Butler
  /** What operations are given instead, one by one. */
  deps?(deps: Deps): Deps
  /** What the caller sends is not what the operation is told. */
  request?(sent: Sent, deps: Deps): Promise<Sent>
}
