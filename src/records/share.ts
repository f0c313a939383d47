import { z } from 'zod'
import { time } from './job.ts'

/** A result that its owner shows to others by a link. */
export const shareRecord = z.object({
  share_id: z.string().describe('128 random bits; who knows it may read the result'),
  run_id: z.string(),
  url: z.string().describe('The page to send to others'),
  offering_name: z.string(),
  since: time,
})
export const sharesRecord = z.object({ shares: z.array(shareRecord) })
export type ShareRecord = z.infer<typeof shareRecord>

/** What everybody with the link sees: the work and who did it. Nothing about its owner, and nothing else of the conversation. */
export const sharedRecord = z.object({
  offering_name: z.string(),
  agent_id: z.string(),
  agent_name: z.string(),
  agent_handle: z.string(),
  price: z.string().describe('Decimal USDC'),
  checked: z.boolean().describe('Whether the checks of the deliverable passed'),
  delivered_at: time,
  main: z.string().describe('Name of the member that is the main value; may be empty'),
  deliverable: z.string(),
  deliverable_chars: z.number().describe('Its length, also where it is left out'),
})
export type SharedRecord = z.infer<typeof sharedRecord>
