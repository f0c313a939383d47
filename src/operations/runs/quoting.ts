import { z } from 'zod'

/** Whether an answer quotes a long deliverable or only refers to it. */
export const quoting = z
  .enum(['whole', 'reference'])
  .default('whole')
  .describe('`reference`: an answer names a long deliverable instead of quoting it; read it from the run')
