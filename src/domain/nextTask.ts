import { z } from 'zod'

/** A task that was said together with another one: it is proposed when the one before it has ended. */
export const nextTask = z.object({
  text: z.string(),
  run_id: z.string().optional().describe('The run in which it is proposed, once it is'),
  state: z.enum(['waiting', 'proposed', 'dropped']),
})
export type NextTask = z.infer<typeof nextTask>
