import { z } from 'zod'
import type { Certificate } from '../../ports.ts'

export const certificateRecord = z.object({
  issued_at: z.string(),
  expires_at: z.string().describe('It also ends when the offering changes'),
  cases: z.number().describe('Test jobs that were answered as promised'),
  signer: z.string().describe('The evaluator'),
  text: z.string().describe('The signed text (EIP-191)'),
  signature: z.string(),
})

/** The API representation of a certificate. */
export const toCertificateRecord = (it: Certificate): z.infer<typeof certificateRecord> => ({
  issued_at: new Date(it.issuedAt).toISOString(),
  expires_at: new Date(it.expiresAt).toISOString(),
  cases: it.cases,
  signer: it.signer,
  text: it.text,
  signature: it.signature,
})
