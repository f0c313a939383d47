import type { AgentId } from '../domain/agents/agentId.ts'
import type { Hex } from '../domain/hex.ts'

/** A certificate of an offering: its test jobs passed. `text` is what the evaluator signed (EIP-191). */
export type Certificate = {
  agentId: AgentId
  offeringId: string
  offeringVersion: number
  cases: number
  signer: string
  text: string
  signature: Hex
  issuedAt: number
  /** Epoch ms. */
  expiresAt: number
}
