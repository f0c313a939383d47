import { z } from 'zod'
import type { Run } from '../../ports.ts'
import { runRecord } from '../../records/run.ts'
import { operation } from '../operation.ts'
import { toRunRecord } from '../runs/runRecord.ts'
import { page, selfNamed, userId } from './users.ts'

const status = z.enum(['pending', 'running', 'completed', 'failed'])

export const listUserRuns = operation({
  name: 'listUserRuns',
  summary: "The caller's runs, newest first. Long deliverables are left out; read the run.",
  scope: 'look',
  input: z.object({ user_id: userId, ...page }),
  output: z.object({
    runs: z.array(runRecord.extend({ status })),
    total: z.number(),
    limit: z.number(),
    offset: z.number(),
  }),

  async run({ user_id, limit, offset }, { store }, caller) {
    const user = selfNamed(user_id, caller)
    const runs = await store.runs({ user, limit, offset })
    const jobs = await store.listedJobs({ runIds: runs.map(it => it.id), limit: runs.length, offset: 0 })
    const jobByRun = new Map(jobs.map(it => [it.runId, it]))
    const records = runs.map(run => ({ ...toRunRecord(run, jobByRun.get(run.id)), status: statusOf(run) }))
    return { runs: records, total: await store.countRuns(user), limit, offset }
  },
})

/** Maps the state of a run to the four statuses of existing clients. A run that waits for its user or for a job is pending. */
const statusOf = ({ state }: Run): z.infer<typeof status> => {
  if (state === 'working') return 'running'
  return state === 'completed' || state === 'failed' ? state : 'pending'
}
