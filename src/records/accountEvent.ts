import { z } from 'zod'
import { accountEventKinds } from '../domain/access/scopes.ts'

/** What the owner of an account is told about it. The time is in ISO 8601. */
export const accountEventRecord = z.object({
  event_id: z.string(),
  kind: z.enum(accountEventKinds),
  text: z.string(),
  at: z.string(),
})
export type AccountEventRecord = z.infer<typeof accountEventRecord>
