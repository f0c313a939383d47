import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { cancelledByUser as reason } from '../../domain/runTexts/ends.ts'
import type { Job, Tables } from '../../ports.ts'
import { runRecord } from '../../records/run.ts'
import { chainOf, type Deps, operation } from '../operation.ts'
import { awaitRun, isResting, waitMs } from '../runs/awaitRun.ts'
import { ownRun } from '../runs/readRun.ts'
import { readRunRecord } from '../runs/runRecord.ts'
import { waitUntil } from '../waiting.ts'
import { closeWithin } from './closeJob.ts'

/** Whether a job ended because its user cancelled it. */
export const isWithdrawn = (job: Pick<Job, 'reason'>): boolean => job.reason === reason
/** Time in ms to wait for a just confirmed hire to reach the chain. After that the user has to ask again. */
const hireMs = 5_000

export const cancelJob = operation({
  name: 'cancelHire',
  summary: 'Cancel a job that its agent has not picked up yet; the escrow refunds the money.',
  caller: 'user',
  scope: 'hire',
  repeats: 'same',
  input: z.object({
    run_id: z.string().max(100),
    wait_ms: waitMs,
  }),
  output: runRecord,

  async run({ run_id, wait_ms }, deps, caller) {
    const { id } = await ownRun(deps, run_id, caller)
    const at = { channel: `run:${id}`, deadline: deps.clock.now() + Math.min(hireMs, wait_ms), signal: caller.signal }
    await waitUntil(deps, at, () => onceHired(deps, id))
    const job = await deps.store.jobOfRun(id)
    if (!job) throw new Problem('nothing-proposed', 'Nothing was hired in this run, so there is nothing to cancel.')
    const taken = await deps.store.atomically(tables => withdrawJob(tables, deps, job))
    if (!taken) await checkRepeated(deps, job.id)
    const run = await awaitRun(deps, id, { deadline: deps.clock.now() + wait_ms, caller })
    if (!run) throw new Problem('run-not-found')
    return readRunRecord(deps, run)
  },
})

/** Withdraws a job inside a transaction; undefined when the agent has it, or when the hire is not mined yet. */
export const withdrawJob = (tables: Tables, deps: Pick<Deps, 'chains'>, job: Job): Promise<Job | undefined> =>
  closeWithin(tables, job.kind === 'hire' ? chainOf(deps, job.chainId) : undefined, { job, event: 'withdraw', reason })

/** Waits for a recent hire: its job is opened in the butler's next step, and its escrow is funded in the next block. */
const onceHired = async ({ store }: Pick<Deps, 'store'>, runId: string): Promise<true | undefined> => {
  const job = await store.jobOfRun(runId)
  if (job) return job.state === 'open' ? undefined : true
  const run = await store.run(runId)
  return run && isResting(run) ? true : undefined
}

const checkRepeated = async ({ store }: Pick<Deps, 'store'>, id: string) => {
  const job = await store.job(id)
  if (job && job.reason !== reason) throw new Problem('job-already-closed', whyNot(job))
}

/** Why a job cannot be withdrawn, as text for its user. */
export const whyNot = ({ state, terms }: Job): string => {
  if (state === 'open') return 'The hire transaction is not confirmed yet. Try again in a moment.'
  if (['queued', 'leased', 'submitted'].includes(state))
    return `${terms.agentHandle} has taken the job, so it continues until it is delivered or the promised time is over.`
  return 'The job has already ended.'
}
