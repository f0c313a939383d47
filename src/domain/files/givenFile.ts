import { z } from 'zod'

/** What is known of a stored file that a message names. `member`: the member of an input that it is for. */
export const givenFile = z.object({
  id: z.string(),
  name: z.string(),
  member: z.string().optional(),
  mediaType: z.string().default(''),
  bytes: z.number().default(0),
})
export type GivenFile = z.infer<typeof givenFile>
