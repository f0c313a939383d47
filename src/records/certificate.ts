import { z } from 'zod'

export const certificateRecord = z.object({
  issued_at: z.string(),
  expires_at: z.string().describe('It also ends when the offering changes'),
  cases: z.number().describe('Test jobs that were answered as promised'),
  signer: z.string().describe('The evaluator'),
  text: z.string().describe('The signed text (EIP-191)'),
  signature: z.string(),
})
