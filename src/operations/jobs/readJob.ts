import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { Job } from '../../ports.ts'
import { type JobRecord, jobRecord } from '../../records/postedJob.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { toHiredRecord } from './jobRecord.ts'

export const readJob = operation({
  name: 'readJob',
  summary: 'A job: a posted one, one that you hired or were hired for, or your test job.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ job_id: z.string().max(100), chain_id: z.coerce.number().int().optional() }),
  output: jobRecord,

  async run({ job_id, chain_id }, deps, caller) {
    const record = await findRecord(job_id, deps, caller)
    if (!record || (chain_id !== undefined && record.chain_id !== chain_id)) throw new Problem('job-not-found')
    return record
  },
})

const findRecord = async (id: string, deps: Deps, caller: Caller): Promise<JobRecord | undefined> => {
  for (const it of deps.otherJobs ?? []) {
    const record = await it.read(id, deps, caller)
    if (record) return record
  }
  const hired = await deps.store.job(id)
  return hired && (await isConcerned(hired, deps, caller)) ? toHiredRecord(hired) : undefined
}

/** Only the hirer and the owner of the hired agent may know that the job exists. */
const isConcerned = async (job: Job, { store }: Deps, { wallet }: Caller): Promise<boolean> =>
  wallet !== undefined && (job.user === wallet || (await store.agent(job.agentId))?.owner === wallet)
