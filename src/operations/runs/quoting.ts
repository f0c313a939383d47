import { z } from 'zod'

/** Whether an answer quotes a long deliverable or only refers to it. */
export const quoting = z
  .enum(['whole', 'reference'])
  .default('whole')
  .describe('`reference`: a long deliverable is named where an answer quotes it, for who reads it from the run')
