import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address, Hex } from '../domain/hex.ts'
import type { Intent } from './rows.ts'

/** The evaluator's verdict of a job for the validation registry (ERC-8004). It is decided once, at the end of the job. */
export type Validation = {
  jobId: string
  agentId: AgentId
  agentWallet: Address
  /** Keccak-256 of the request file. */
  requestHash: Hex
  /** 0 or 100. */
  response: number
  /** The exact request file. */
  file: string
  createdAt: number
}

/** A validation with the state of its response on chain. */
export type FollowedValidation = Validation & Pick<Intent, 'state' | 'hash'>

/** What a signer reads about validations. Absent in a service without them. */
export type ValidationReads = {
  validation(jobId: string): Promise<Validation | undefined>
}
