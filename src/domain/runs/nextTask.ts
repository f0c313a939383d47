import { z } from 'zod'

/** A further task of one message. It is proposed when the task before it has ended. */
export const nextTask = z.object({
  text: z.string(),
  run_id: z.string().optional().describe('The run in which the task is proposed; absent before'),
  state: z.enum(['waiting', 'proposed', 'dropped']),
})
export type NextTask = z.infer<typeof nextTask>
