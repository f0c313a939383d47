import type { AgentId } from '../domain/agentId.ts'
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

export type CertificateTables = {
  /** Inserts a certificate, or replaces the one of the same offering. */
  putCertificate(certificate: Certificate): Promise<void>
  /** Certificates that have not expired, of offerings that have not changed since. */
  certificates(agentIds: AgentId[]): Promise<Certificate[]>
}
