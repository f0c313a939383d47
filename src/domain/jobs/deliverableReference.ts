import { limits } from '../limits.ts'

/** The reference that replaces a long deliverable in texts. */
export const toDeliverableReference = (runId: string): string => `[deliverable: GET /runs/${runId}]`

/** Replaces a long deliverable in a text by its reference. */
export const quoteByReference = (text: string, of: { runId: string; deliverable: string | undefined }): string =>
  of.deliverable !== undefined && of.deliverable.length > limits.listedDeliverableChars
    ? text.replaceAll(of.deliverable, () => toDeliverableReference(of.runId))
    : text
