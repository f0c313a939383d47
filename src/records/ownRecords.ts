import { z } from 'zod'
import { accountEventKinds } from '../domain/access/accountEvents.ts'
import { jsonObject } from '../domain/json.ts'
import { runEventRecord, runRecord } from './run.ts'

/** What the owner of an account is told about it. The time is in ISO 8601. */
export const accountEventRecord = z.object({
  event_id: z.string(),
  kind: z.enum(accountEventKinds),
  text: z.string(),
  at: z.string(),
})
export type AccountEventRecord = z.infer<typeof accountEventRecord>

/** A page of a person's own copy: runs with all that was said and delivered in them, newest first. */
export const ownRecords = z.object({
  wallet: z.string(),
  runs: z.array(runRecord.extend({ events: z.array(runEventRecord) })),
  kept: z
    .record(z.string(), z.array(jsonObject))
    .describe('Marks, reports, searches, browsers and links; on the first page alone'),
  next: z.number().nullable().describe('`offset` of the next page; null on the last one'),
})
export type OwnRecords = z.infer<typeof ownRecords>

export const deletedRecords = z.object({
  deleted_runs: z.number().describe('Runs that are gone completely'),
  emptied_runs: z.number().describe('Runs in which money moved: their texts and results are gone'),
  open_runs: z.number().describe('Runs that are not over: they stay until they are, and can be deleted then'),
  stays: z.array(z.string()).describe('What stays, and why'),
})
export type DeletedRecords = z.infer<typeof deletedRecords>
