import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { cancelledByUser as reason } from '../../domain/runTexts/ends.ts'
import type { Job } from '../../ports.ts'
import { runRecord } from '../../records/run.ts'
import type { Caller } from '../caller.ts'
import { type Deps, operation } from '../operation.ts'
import { awaitRun, isResting, waitMs } from '../runs/awaitRun.ts'
import { ownRun } from '../runs/readRun.ts'
import { readRunRecord } from '../runs/runRecord.ts'
import { waitUntil } from '../waiting.ts'
import { withdrawJob } from './closeJob.ts'
import { stopPlan } from './steerPlan.ts'

/** Time in ms to wait for a just confirmed hire to reach the chain. After that the user has to ask again. */
const hireMs = 5_000

export const cancelJob = operation({
  name: 'cancelHire',
  summary: 'Cancel a job that its agent has not picked up yet, or a running plan; the escrow refunds the money.',
  scope: 'hire',
  repeats: 'same',
  input: z.object({ run_id: z.string().max(100), wait_ms: waitMs }),
  output: runRecord,

  async run({ run_id, wait_ms }, deps, caller) {
    const { id } = await ownRun(deps, run_id, caller)
    const at = { channel: `run:${id}`, deadline: deps.clock.now() + Math.min(hireMs, wait_ms), signal: caller.signal }
    await waitUntil(deps, at, () => onceHired(deps, id))
    const plan = await deps.store.plan(id)
    if (plan?.state === 'running') {
      await waitUntil(deps, at, () => onceMined(deps, id))
      await deps.store.atomically(async tables => {
        await stopPlan(tables, deps, plan)
        await tables.wakeRun(id)
      })
      return readAfter(deps, id, { wait_ms, caller })
    }
    const job = await deps.store.jobOfRun(id)
    if (!job) throw new Problem('nothing-proposed', 'Nothing was hired in this run, so there is nothing to cancel.')
    const taken = await deps.store.atomically(tables => withdrawJob(tables, deps, job))
    if (!taken) await checkRepeated(deps, job.id)
    return readAfter(deps, id, { wait_ms, caller })
  },
})

/** Waits for the hires of a plan to be mined, because only then an escrow can be taken back. */
const onceMined = async ({ store }: Pick<Deps, 'store'>, runId: string): Promise<true | undefined> => {
  const plan = await store.plan(runId)
  return plan?.steps.some(it => it.tries.at(-1)?.job?.state === 'open') ? undefined : true
}

/** The record of a run once it rests, at the latest after the given time. */
const readAfter = async (deps: Deps, id: string, { wait_ms, caller }: { wait_ms: number; caller: Caller }) => {
  const run = await awaitRun(deps, id, { deadline: deps.clock.now() + wait_ms, caller })
  return readRunRecord(deps, run)
}

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
