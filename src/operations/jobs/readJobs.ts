import { z } from 'zod'
import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Job, ListedJob } from '../../ports.ts'
import { type JobRecord, jobRecord } from '../../records/postedJob.ts'
import { type Caller, type Deps, operation, userOf } from '../operation.ts'
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

const role = z.enum(['client', 'provider', 'evaluator', 'any'])
type Role = z.infer<typeof role>

export const listMyJobs = operation({
  name: 'listMyJobs',
  summary:
    'Jobs in which the caller is proved to be client, provider or evaluator, newest first. ' +
    'Long deliverables are left out; read the job.',
  scope: 'look',
  input: z.object({ role: role.default('any'), chain_id: z.coerce.number().int().optional() }),
  output: z.array(jobRecord),

  async run({ role: as, chain_id }, deps, caller) {
    const wallet = userOf(caller)
    const of = { wallet, ...(chain_id !== undefined && { chainId: chain_id }) }
    const others = await Promise.all((deps.otherJobs ?? []).map(it => it.list?.({ ...of, role: as }, deps) ?? []))
    const records = [...others.flat(), ...(await hiredJobs(deps, of, as)).map(toHiredRecord)]
    return records.sort((a, b) => b.created_at.localeCompare(a.created_at))
  },
})

type Of = { wallet: Address; chainId?: number }

/** The platform evaluates hires, so no user has the role of evaluator in them. */
const hiredJobs = async ({ store }: Deps, { wallet, chainId }: Of, as: Role): Promise<ListedJob[]> => {
  const page = { limit: limits.pageRows, offset: 0, ...(chainId !== undefined && { chainId }) }
  const asClient = as === 'client' || as === 'any' ? await store.listedJobs({ user: wallet, ...page }) : []
  if (as === 'client' || as === 'evaluator') return asClient
  return onceEach([...asClient, ...(await store.listedJobs({ agentOwner: wallet, ...page }))])
}

/** A job in which the caller has two roles is listed once. */
const onceEach = <T extends { id: string }>(found: T[]): T[] => [...new Map(found.map(it => [it.id, it])).values()]
