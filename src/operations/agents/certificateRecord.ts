import type { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import type { Certificate } from '../../ports.ts'
import type { certificateRecord } from '../../records/certificate.ts'

export const toCertificateRecord = (it: Certificate): z.infer<typeof certificateRecord> => ({
  issued_at: toIso(it.issuedAt),
  expires_at: toIso(it.expiresAt),
  cases: it.cases,
  signer: it.signer,
  text: it.text,
  signature: it.signature,
})
