import type { Address } from '../../../../src/domain/hex.ts'
import type { ChainJob, ReserveKind } from '../../../../src/ports.ts'

/** A job in the modelled escrow. Times in epoch seconds, as on chain. */
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
  /** What was used of a usage price; absent for a fixed price, and before the payment. */
  used?: bigint
}

/** A client's feedback about an agent in the reputation registry. */
export type GivenFeedback = { client: Address; agentNumber: bigint; value: number; uri: string; fileHash: string }

/** The curve of an agent's token, which holds USDC or wrapped coin. */
export type AgentCurve = { agentNumber: bigint; reserveKind: ReserveKind; reserve: bigint; held: bigint; fees: bigint }

/** A validation in the modelled registry, with all responses of the evaluator. */
export type GivenValidation = { agentNumber: bigint; responses: number[] }

/** The state of the modelled chain. Every write can be undone, for reverted calls and removed blocks. */
export type ChainState = {
  nonces: Map<Address, number>
  coin: Map<Address, bigint>
  usdc: Map<Address, bigint>
  jobs: Map<bigint, EscrowJob>
  /** Used authorizations. Each funds one job. */
  used: Map<string, true>
  identities: Map<bigint, { owner: Address; wallet: Address }>
  /** In the order of submission. */
  feedback: Map<number, GivenFeedback>
  /** By the hash of the request. */
  validations: Map<string, GivenValidation>
  /** Addresses that the token blocks as sender and receiver. */
  blocked: Map<Address, true>
  /** USDC that owners transferred out of an address without the service. */
  withdrawn: Map<Address, bigint>
  /** Curves by token, and balances by token and holder. */
  curves: Map<Address, AgentCurve>
  /** Wrapped coin is a token, too. */
  tokens: Map<string, bigint>
  /** Amounts that a contract may take from a holder, by `allowanceOf`. */
  allowances: Map<string, bigint>
  /** Wrapped coin that each holder was given at the start. */
  givenWrapped: Map<Address, bigint>
}

/** The name of an allowance. */
export const allowanceOf = (asset: Address, of: { spender: Address; owner: Address }): string =>
  `${asset}/${of.spender}/${of.owner}`

export type Journal = {
  state: ChainState
  put<K, V>(map: Map<K, V>, key: K, value: V): void
  /** A position to which writes can be undone. */
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
      validations: new Map(),
      blocked: new Map(),
      withdrawn: new Map(),
      curves: new Map(),
      tokens: new Map(),
      allowances: new Map(),
      givenWrapped: new Map(),
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
