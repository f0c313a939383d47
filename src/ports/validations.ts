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

export type ValidationTables = {
  /** Inserts only the validation, unless the job has one. Its intents must be added in the same transaction. */
  addValidation(validation: Omit<Validation, 'createdAt'>): Promise<void>
  validation(jobId: string): Promise<Validation | undefined>
  /** Validations of an agent, newest first. */
  validations(agentId: AgentId, limit: number): Promise<FollowedValidation[]>
}
