import { z } from 'zod'
import { time } from './job.ts'

/** A browser that is told when something ends. */
export const deviceRecord = z.object({
  device_id: z.string(),
  push_service: z.string().describe('Host of the push service that its browser uses'),
  since: time,
})
export const noticesRecord = z.object({
  public_key: z.string().describe('`applicationServerKey` for a subscription of the browser, in base64url'),
  devices: z.array(deviceRecord),
})
export type NoticesRecord = z.infer<typeof noticesRecord>

/** A search that found nothing and waits for an offering. */
export const savedSearchRecord = z.object({
  search_id: z.string(),
  text: z.string(),
  chain_id: z.number(),
  since: time,
  found_at: time.nullable().describe('When an offering was found that does it; null until then'),
})
export const savedSearches = z.object({ searches: z.array(savedSearchRecord) })
export type SavedSearchRecord = z.infer<typeof savedSearchRecord>
