import { z } from 'zod'
import { jsonObject } from '../domain/json.ts'
import { givenFile, type JobFile, toJobFile } from './files.ts'

/** The terms of a job from the gateway, by poll or by call. A member with an unexpected type is ignored. */
export const jobTerms = z.object({
  offering_id: z.string().optional().catch(undefined),
  offering_name: z.string().optional().catch(undefined),
  price: z.number().optional().catch(undefined),
  usage: z.object({ unit: z.string(), per_unit: z.string() }).optional().catch(undefined),
  submit_by: z.iso.datetime({ offset: true }).optional().catch(undefined),
  attempt: z.number().int().optional().catch(undefined),
  deliverable_schema: jsonObject.optional().catch(undefined),
  files: z.array(givenFile).catch([]).default([]),
  upload_url: z.url().optional().catch(undefined),
})

/** The context of a hired job for its handler. A direct call has none. */
export type JobContext = {
  id: string
  offeringId?: string
  offeringName?: string
  /** Price in USDC; of a usage price the most that is paid. */
  price?: number
  /** What one unit costs, in USDC as decimal text. Absent for a fixed price. */
  usage?: { unit: string; perUnit: string }
  /** Deadline; a later deliverable is not paid. */
  submitBy?: Date
  /** Number of this attempt, from 1. */
  attempt?: number
  /** JSON schema of the deliverable; an empty one accepts any text. */
  deliverableSchema?: z.infer<typeof jsonObject>
  /** The files of the input by their members; of a list its first file. */
  files: Record<string, JobFile>
  /** All files of the input, in its order. */
  allFiles: JobFile[]
}

/** Converts the terms of a delivery to the job context of a handler; `submit_by` becomes a Date. */
export const toJobContext = (id: string, it: z.infer<typeof jobTerms>): JobContext => ({
  id,
  allFiles: it.files.map(toJobFile),
  files: Object.fromEntries(it.files.toReversed().map(file => [file.member, toJobFile(file)])),
  ...(it.offering_id !== undefined && { offeringId: it.offering_id }),
  ...(it.offering_name !== undefined && { offeringName: it.offering_name }),
  ...(it.price !== undefined && { price: it.price }),
  ...(it.usage && { usage: { unit: it.usage.unit, perUnit: it.usage.per_unit } }),
  ...(it.submit_by !== undefined && { submitBy: new Date(it.submit_by) }),
  ...(it.attempt !== undefined && { attempt: it.attempt }),
  ...(it.deliverable_schema !== undefined && { deliverableSchema: it.deliverable_schema }),
})
