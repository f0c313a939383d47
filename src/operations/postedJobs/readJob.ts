import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { Job } from '../../ports.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { jobRecord, toHiredRecord, toPostingRecord } from './jobRecord.ts'

export const readJob = operation({
  name: 'readJob',
  summary: 'A job: a posted one, or one that you hired or were hired for.',
  caller: 'anyone',
  input: z.object({ job_id: z.string().max(100), chain_id: z.coerce.number().int().optional() }),
  output: jobRecord,

  async run({ job_id, chain_id }, deps, caller) {
    const postedJob = await deps.store.postedJob(job_id)
    const hired = postedJob ? undefined : await deps.store.job(job_id)
    const record = postedJob
      ? toPostingRecord(postedJob, deps.clock.now())
      : hired && (await isConcerned(hired, deps, caller))
        ? toHiredRecord(hired)
        : undefined
    if (!record || (chain_id !== undefined && record.chain_id !== chain_id)) throw new Problem('job-not-found')
    return record
  },
})

/** Only the hirer and the owner of the hired agent may know that the job exists. */
const isConcerned = async (job: Job, { store }: Deps, { wallet }: Caller): Promise<boolean> =>
  wallet !== undefined && (job.user === wallet || (await store.agent(job.agentId))?.owner === wallet)
