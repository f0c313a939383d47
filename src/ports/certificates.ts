import { z } from 'zod'
import { hex } from '../domain/hex.ts'
import type { RowOf } from './rows/columns.ts'

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
