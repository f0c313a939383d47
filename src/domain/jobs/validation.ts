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

/** Responses that are tried for one request, before the registry stays without one. */
export const responseTries = 5

const toFirst = (jobId: string) => `job:${jobId}:validation-response`

/** The keys of the transactions of a validation: of its request, and of all tries to respond, the first of them first. */
export const validationKeys = (jobId: string): { request: string; responses: string[] } => ({
  request: `job:${jobId}:validation-request`,
  responses: Array.from({ length: responseTries }, (_, at) => (at === 0 ? toFirst(jobId) : `${toFirst(jobId)}:${at + 1}`)),
})
