import { z } from 'zod'

/** How a long deliverable is told. */
export const quoting = z
  .enum(['whole', 'reference'])
  .default('whole')
  .describe('`reference`: a long deliverable is named where an answer quotes it, for who reads it from the run')
