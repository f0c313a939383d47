import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { flag } from '../../ports/rows/columns.ts'
import type { Tx } from '../engine/db.ts'
import { placesOf, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { leaseJob } from './jobMoves.ts'
import { isHire } from './jobRows.ts'

const due = rowOf({ id: z.string(), agentId: z.string(), owner: address, isFree: flag, submitBy: z.number(), pushes: z.number() })

// The jobs that wait for a call, each read from an index that contains only such jobs.
const waiting = `select seq from job where state = 'queued' union all select seq from job where state = 'leased' and adrift = 1`

const isDue = `job.seq in (${waiting})
  and pushes < ${limits.pushes} and (push_after is null or push_after <= {NOW}) and submit_by > {NOW}
  and (chain_job_id is not null or not ${isHire}) and (state = 'leased' or attempt < ${limits.attempts})
  and endpoint_url is not null and via_gateway = 0`

/** Whether a job is paid: a hire, or a paid call (x402), whose price is no budget of the escrow. */
const isPaid = `(${isHire} or exists (select 1 from paid_call where job_id = job.id))`

/** Reads the jobs to push, paid ones first: its text and parameters. */
export const toPushQuery = (
  limit: number,
  except: { agents: string[]; owners: string[] },
): [text: string, params: (string | number)[]] => {
  // No column equals an empty string, which stands for an empty list.
  const [agents, owners] = [placesOf(except.agents, 2), placesOf(except.owners, 2 + except.agents.length)]
  const text = `select job.id, agent_id, owner, case when ${isPaid} then 0 else 1 end as is_free, submit_by, pushes
    from job join agent on agent.id = job.agent_id where ${isDue}
    and agent_id not in (${agents || "''"}) and owner not in (${owners || "''"}) order by is_free, job.seq limit $1`
  return [text, [limit, ...except.agents, ...except.owners]]
}

const isLost = `state = 'leased' and adrift = 0 and leased_by is not null and {HOLDER_ENDED}`

/** Deliveries to agents that are called at their own endpoint. */
export const pushTable = tableGroup(({ read, aside, write }) => ({
  pushableJobs: async (limit, except = { agents: [], owners: [] }) =>
    aside.sound('job', due, await read(...toPushQuery(aside.limit('job', limit), except))),

  leasePush: (agentId, jobId, pauseMs) =>
    write(async tx => {
      const job = await leaseJob(tx, agentId, jobId)
      if (job)
        await tx.sql('update job set pushes = pushes + 1, push_after = {NOW} + $2 where id = $1', [jobId, Math.round(pauseMs)])
      return job
    }),

  setUndelivered: (jobId, attempt) =>
    write(async tx => {
      const set = `update job set adrift = 1 where id = $1 and state = 'leased' and attempt = $2 returning agent_id`
      for (const row of await tx.sql(set, [jobId, attempt])) tx.notify(`jobs:${row.agent_id}`)
    }),

  setLostUndelivered: async () => {
    if ((await read(`select id from job where ${isLost} limit 1`)).length === 0) return
    await write(async tx => {
      const rows = await tx.sql(`update job set adrift = 1 where ${isLost} returning agent_id`)
      for (const row of rows) tx.notify(`jobs:${row.agent_id}`)
      if (rows.length > 0) tx.notify('pushes')
    })
  },
}))

/** The process that leased these jobs has ended, and its responses may be lost. */
export const setAllUncertain = async ({ sql }: Tx): Promise<void> => {
  await sql(`update job set adrift = 1 where state = 'leased'`)
}
