import type { Address } from '../../../../src/domain/hex.ts'
import type { ChainJob } from '../../../../src/ports.ts'

/** A job as the modelled escrow holds it; times in seconds, as on chain. */
export type EscrowJob = {
  client: Address
  provider: Address
  evaluator: Address
  budget: bigint
  expiredAt: number
  submittedAt: number
  status: ChainJob['status']
  jobKey: string
  deliverable: string
}

/** What a client said about an agent in the reputation registry. */
export type GivenFeedback = { client: Address; agentNumber: bigint; value: number; uri: string; fileHash: string }

/** What the modelled chain holds. Every write can be undone, for calls that revert and for blocks that are dropped. */
export type ChainState = {
  nonces: Map<Address, number>
  coin: Map<Address, bigint>
  usdc: Map<Address, bigint>
  jobs: Map<bigint, EscrowJob>
  /** Authorizations that were used: each funds one job. */
  used: Map<string, true>
  identities: Map<bigint, { owner: Address; wallet: Address }>
  /** In the order in which it was given. */
  feedback: Map<number, GivenFeedback>
  /** Addresses that the token refuses to send to or from. */
  blocked: Map<Address, true>
  /** USDC that left an address by its owner's own hand, past the service. */
  withdrawn: Map<Address, bigint>
}

export type Journal = {
  state: ChainState
  put<K, V>(map: Map<K, V>, key: K, value: V): void
  /** A point to go back to. */
  mark(): number
  backTo(mark: number): void
}

export const createJournal = (): Journal => {
  const undo: (() => void)[] = []
  return {
    state: {
      nonces: new Map(),
      coin: new Map(),
      usdc: new Map(),
      jobs: new Map(),
      used: new Map(),
      identities: new Map(),
      feedback: new Map(),
      blocked: new Map(),
      withdrawn: new Map(),
    },
    put(map, key, value) {
      const before = map.get(key)
      undo.push(() => void (before === undefined ? map.delete(key) : map.set(key, before)))
      map.set(key, value)
    },
    mark: () => undo.length,
    backTo(mark) {
      for (const back of undo.splice(mark).reverse()) back()
    },
  }
}
