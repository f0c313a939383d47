import { z } from 'zod'

const nameChars = 40

export const passkeyName = z.string().trim().min(1).max(nameChars).default('Passkey')

export const passkeyRecord = z.object({
  passkey_id: z.string(),
  name: z.string(),
  since: z.string(),
  last_used: z.string(),
})
export type PasskeyRecord = z.infer<typeof passkeyRecord>

/** The token of a person who signed in; a new account also gets its recovery code, which is never shown again. */
export const passkeyEntry = z.object({
  token: z.string(),
  expires_at: z.string(),
  recovery_code: z.string().optional(),
  proof: z.string().optional().describe('After a recovery: with it a new passkey is added, once within 15 minutes'),
})
export type PasskeyEntry = z.infer<typeof passkeyEntry>
