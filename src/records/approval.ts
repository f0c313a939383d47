import { z } from 'zod'
import { runRecord } from './run.ts'

/** The page where the user of a run answers its proposal, for a program that must not answer it, and the run. */
export const approvalRequest = z.object({
  approve_url: z
    .string()
    .optional()
    .describe('Present while the proposal waits. Only its user can answer there; it ends with the proposal'),
  run: runRecord,
})
export type ApprovalRequest = z.infer<typeof approvalRequest>

/** What the page reads at such an address. */
export const approvalRecord = z.object({
  run_id: z.string(),
  conversation_id: z.string(),
  chain_id: z.number(),
  expires_at: z.string(),
})
export type ApprovalRecord = z.infer<typeof approvalRecord>
