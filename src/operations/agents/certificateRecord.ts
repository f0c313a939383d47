import type { z } from 'zod'
import type { Certificate } from '../../ports.ts'
import type { certificateRecord } from '../../records/certificate.ts'

/** The API representation of a certificate. */
export const toCertificateRecord = (it: Certificate): z.infer<typeof certificateRecord> => ({
  issued_at: new Date(it.issuedAt).toISOString(),
  expires_at: new Date(it.expiresAt).toISOString(),
  cases: it.cases,
  signer: it.signer,
  text: it.text,
  signature: it.signature,
})
