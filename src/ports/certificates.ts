import { z } from 'zod'
import { address, hex } from '../domain/hex.ts'
import type { RowOf } from './rows/columns.ts'
import type { Intent } from './rows.ts'

/** A certificate of an offering: its test jobs passed. `text` is what the evaluator signed (EIP-191). */
export const certificateRow = {
  agentId: z.string(),
  offeringId: z.string(),
  offeringVersion: z.number(),
  cases: z.number(),
  signer: z.string(),
  text: z.string(),
  signature: hex,
  issuedAt: z.number(),
  /** Epoch ms. */
  expiresAt: z.number(),
}
export type Certificate = RowOf<typeof certificateRow>

/** The evaluator's verdict of a job for the validation registry (ERC-8004). It is decided once, at the end of the job. */
export const validationRow = {
  jobId: z.string(),
  agentId: z.string(),
  agentWallet: address,
  /** Keccak-256 of the request file. */
  requestHash: hex,
  /** 0 or 100. */
  response: z.number(),
  /** The exact request file. */
  file: z.string(),
  createdAt: z.number(),
}
export type Validation = RowOf<typeof validationRow>

/** A validation with the state of its response on chain. */
export type FollowedValidation = Validation & Pick<Intent, 'state' | 'hash'>

/** What a signer reads about validations. Absent in a service without them. */
export type ValidationReads = { validation(jobId: string): Promise<Validation | undefined> }
