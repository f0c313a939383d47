import type { JobOutcome } from './job.ts'

/** Tag of the evaluator's responses in the validation registry: the work was checked against the checklist of its hire. */
export const validationTag = 'schema'

/**
 * The evaluator's response to the validation of a job, from 0 (failed) to 100 (passed), as ERC-8004 has it. Undefined when
 * nothing was judged.
 */
export const responseOf = (outcome: JobOutcome | undefined): 0 | 100 | undefined => {
  if (outcome === 'accepted') return 100
  return outcome === 'rejected' ? 0 : undefined
}
