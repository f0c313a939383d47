import { z } from 'zod'
import { time } from './job.ts'

export const markName = z.enum(['favourite', 'blocked'])

/** An agent that a user marked. A blocked one is not found, proposed or hired for this user. */
export const markRecord = z.object({
  agent_id: z.string(),
  agent_handle: z.string(),
  agent_name: z.string(),
  mark: markName,
  since: time,
})
export const marksRecord = z.object({ marks: z.array(markRecord) })
export type MarkRecord = z.infer<typeof markRecord>

export const reportReason = z.enum(['fraud', 'harmful', 'not-what-it-says', 'copied', 'other'])
