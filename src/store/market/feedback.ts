import type { Tables } from '../../ports.ts'
import { requestRating } from '../effects/outbox.ts'
import type { Scope } from '../engine/db.ts'
import { hasRow } from '../engine/rows.ts'
import { jobColumns, toJob, toSoundJobs } from '../jobs/jobRows.ts'

type FeedbackTables = Pick<Tables, 'unratedJobs' | 'setFeedback' | 'feedback' | 'disputeJob'>

const unrated = `select seq, ${jobColumns} from job where chain_id = $1 and feedback is null and outcome is not null
  and state in ('settled', 'refunded') and chain_job_id is not null order by outcome_at limit $2`

const dispute = `update job set dispute = $2, disputed_at = {NOW}
  where id = $1 and disputed_at is null and outcome = 'accepted' and outcome_at > {NOW} - $3 returning ${jobColumns}`

/** Feedback after the end of a job: on chain by its client's wallet, and disputes by its user. */
export const feedbackTable = ({ read, aside, run, write }: Scope): FeedbackTables => ({
  unratedJobs: async (chainId, limit) => toSoundJobs(aside, await read(unrated, [chainId, aside.limit('job', limit)])),

  setFeedback: (id, file) =>
    hasRow(run('update job set feedback = $2 where id = $1 and feedback is null returning id', [id, file])),

  feedback: async id => {
    const [row] = await read('select feedback from job where id = $1', [id])
    return typeof row?.feedback === 'string' && row.feedback !== '' ? row.feedback : undefined
  },

  disputeJob: (id, { reason, withinMs }) =>
    write(async tx => {
      const job = toJob(await tx.sql(dispute, [id, reason, withinMs]))
      if (job) await requestRating(tx, job.agentId)
      return job
    }),
})
