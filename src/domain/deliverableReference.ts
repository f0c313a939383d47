import { limits } from './limits.ts'

/** What stands for a long deliverable where its run has it. */
export const toDeliverableReference = (runId: string): string => `[deliverable: GET /runs/${runId}]`

/** A text that quotes the deliverable of a run; a long one is named instead. */
export const quoteByReference = (text: string, of: { runId: string; deliverable: string | undefined }): string =>
  of.deliverable !== undefined && of.deliverable.length > limits.listedDeliverableChars
    ? text.replaceAll(of.deliverable, () => toDeliverableReference(of.runId))
    : text
