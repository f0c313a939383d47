import type { StoredPlan, Tables } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { withdrawJob } from './withdrawJob.ts'

/**
 * Stops a plan: no step of it starts any more, and jobs that no agent has taken are taken back.
 * @returns the number of jobs that were taken back
 */
export const stopPlan = async (tables: Tables, deps: Pick<Deps, 'chains'>, plan: StoredPlan): Promise<number> => {
  await tables.stopPlan(plan.runId)
  // Read after the stop, because a step may have opened in the meantime.
  const { steps } = (await tables.plan(plan.runId)) ?? plan
  const last = steps.flatMap(it => it.tries.at(-1)?.job?.id ?? [])
  let taken = 0
  for (const id of last) {
    const job = await tables.job(id)
    if (job && (await withdrawJob(tables, deps, job))) taken += 1
  }
  return taken
}
