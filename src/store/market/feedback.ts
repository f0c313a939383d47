import { z } from 'zod'
import { requestRating } from '../effects/outbox.ts'
import { hasRow, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { jobColumns, toJob, toSoundJobs } from '../jobs/jobRows.ts'

const unrated = `select seq, ${jobColumns} from job where chain_id = $1 and feedback is null and outcome is not null
  and state in ('settled', 'refunded') and chain_job_id is not null order by outcome_at limit $2`

/** Most jobs of an agent that are read for those with feedback. */
const lookedAt = 1_000
const files = rowOf({ jobId: z.string(), file: z.string() })
const newest = `select id as job_id, feedback as file from (
    select id, feedback, seq from job where agent_id = $1 order by seq desc limit $2
  ) page where feedback <> '' order by seq desc limit $3`

const dispute = `update job set dispute = $2, disputed_at = {NOW}
  where id = $1 and disputed_at is null and outcome = 'accepted' and outcome_at > {NOW} - $3 returning ${jobColumns}`

/** Feedback after the end of a job: on chain by its client's wallet, and disputes by its user. */
export const feedbackTable = tableGroup(({ read, aside, run, write }) => ({
  unratedJobs: async (chainId, limit) => toSoundJobs(aside, await read(unrated, [chainId, aside.limit('job', limit)])),

  setFeedback: (id, file) =>
    hasRow(run('update job set feedback = $2 where id = $1 and feedback is null returning id', [id, file])),

  feedback: async id => {
    const [row] = await read('select feedback from job where id = $1', [id])
    return typeof row?.feedback === 'string' && row.feedback !== '' ? row.feedback : undefined
  },

  feedbackOf: async (agentId, limit) => files.all(await read(newest, [agentId, lookedAt, limit])),

  disputeJob: (id, { reason, withinMs }) =>
    write(async tx => {
      const job = toJob(await tx.sql(dispute, [id, reason, withinMs]))
      if (job) await requestRating(tx, job.agentId)
      return job
    }),
}))
