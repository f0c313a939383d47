import { z } from 'zod'
import type { Run } from '../../ports.ts'
import { operation } from '../operation.ts'
import { runRecord, toRunRecord } from '../runs/runRecord.ts'
import { page, selfNamed, userId } from './userNames.ts'

const status = z.enum(['pending', 'running', 'completed', 'failed'])

export const listUserRuns = operation({
  name: 'listUserRuns',
  summary: 'The runs of the asking user, newest first.',
  caller: 'user',
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
    const records = runs.map(async run => ({
      ...toRunRecord(run, run.jobId ? await store.job(run.jobId) : undefined),
      status: statusOf(run),
    }))
    return { runs: await Promise.all(records), total: await store.countRuns(user), limit, offset }
  },
})

/** A run in the five words of existing clients: what waits for its user or for a job is pending. */
const statusOf = ({ state }: Run): z.infer<typeof status> => {
  if (state === 'working') return 'running'
  return state === 'completed' || state === 'failed' ? state : 'pending'
}
