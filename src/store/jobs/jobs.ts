import { toOpenText } from '../../domain/runTexts/moves.ts'
import type { Job, Tables } from '../../ports.ts'
import { followedBy, type Scope, type Value } from '../engine/db.ts'
import { insertion, matching } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { sendRunEvent } from '../runs/runEvents.ts'
import { leaseJob, moveJob } from './jobMoves.ts'
import { jobColumns, listedJobColumns, toJob, toJobs, toListedJobs, toSoundJobs } from './jobRows.ts'

const ofConversation = `select ${jobColumns} from job where run_id in (select id from run where conversation_id = $1
  and "user" = $2)
  order by seq desc limit $3`

const withWork = `select agent_id from job where state = 'queued'
  union select agent_id from job where adrift = 1 and state = 'leased'
  union select agent_id from test_job where deliveries < due and submit_by > {NOW} order by agent_id`

export const jobTable = (scope: Scope) => ({ ...readings(scope), ...writings(scope) })

const readings = tableGroup(({ read, aside }) => ({
  job: async id => toJob(await read(`select ${jobColumns} from job where id = $1`, [id])),

  jobOfRun: async runId => toJob(await read(`select ${jobColumns} from job where run_id = $1`, [runId])),

  jobsOfConversation: async (conversationId, user, limit) => toJobs(await read(ofConversation, [conversationId, user, limit])),

  jobOnChain: async (chainId, chainJobId) =>
    toJob(await read(`select ${jobColumns} from job where chain_id = $1 and chain_job_id = $2`, [chainId, chainJobId])),

  agentsWithWork: async () => {
    const rows = await read(withWork)
    return rows.map(row => String(row.agent_id))
  },

  lapsedJobs: async limit =>
    toSoundJobs(
      aside,
      await read(
        `select seq, ${jobColumns} from job where state = 'leased' and (lease_until < {NOW}
          or lease_until > {NOW} + lease_ms) and submit_by >= {NOW} order by lease_until limit $1`,
        [aside.limit('job', limit)],
      ),
    ),

  jobs: async ({ user, agentId, state, limit, offset }) => {
    const { where, params } = matching({ user, agentId, state })
    const page = `order by seq desc limit $${params.length + 1} offset $${params.length + 2}`
    return toJobs(await read(`select ${jobColumns} from job ${where} ${page}`, [...params, limit, offset]))
  },

  listedJobs: async ({ limit, offset, chainId, ...of }) => {
    const params: Value[] = [limit, offset]
    const bind = (value: Value) => `$${params.push(value)}`
    const whose =
      'user' in of
        ? `"user" = ${bind(of.user)}`
        : 'agentOwner' in of
          ? `agent_id in (select id from agent where owner = ${bind(of.agentOwner)})`
          : `run_id in (${of.runIds.map(bind).join(', ') || 'null'})`
    const onChain = chainId === undefined ? '' : `and chain_id = ${bind(chainId)}`
    const text = `select ${listedJobColumns} from job where ${whose} ${onChain} order by seq desc limit $1 offset $2`
    return toListedJobs(await read(text, params))
  },
}))

// Only a submitted job gets a verdict, and the first one on an attempt stays. An earlier deliverable may be kept after its end.
const keepVerdict = `update job set verdict = $2, deliverable = coalesce($3, deliverable)
  where id = $1 and state = 'submitted' and attempt = $4
  and (verdict is null or cast(verdict{PARSED}->>'attempt' as {BIGINT}) is distinct from $4) returning id`

const ofItsRun = `on conflict (run_id) do nothing returning ${jobColumns}
  ${followedBy} update run set job_id = $1 where id = $2 and {ADDED}`

const writings = tableGroup(({ read, run, write }) => ({
  addJob: job =>
    write(async tx => {
      const [insert, params] = insertion('job', toColumns(job), ['createdAt', 'updatedAt'])
      const added = tx.sql(`${insert} ${ofItsRun}`, params)
      // A run has one job, and that one has an event with this key. Its events are not packed, because it has not ended.
      void sendRunEvent(tx, job.runId, {
        kind: 'job.open',
        summary: toOpenText(job.terms),
        data: { job_id: job.id, to: 'open', attempt: 0 },
        key: 'job.open',
      })
      return toJob(await added)
    }),

  moveJob: (id, event, patch) => write(tx => moveJob(tx, { id, event, patch })),

  leaseJob: agentId => write(tx => leaseJob(tx, agentId)),

  addVerdict: async (id, verdict, deliverable) => {
    const kept = await run(keepVerdict, [id, JSON.stringify(verdict), deliverable, verdict.attempt])
    return kept.length > 0 ? verdict : toJob(await read(`select ${jobColumns} from job where id = $1`, [id]))?.verdict
  },
}))

type NewJob = Parameters<Tables['addJob']>[0]

const toColumns = ({ terms, offering, checklist, deadlines, ...job }: NewJob) => ({
  ...pickNew(job),
  ...deadlines,
  terms: JSON.stringify(terms),
  offering: JSON.stringify(offering),
  checklist: JSON.stringify(checklist),
  state: 'open',
})

// Fields are listed one by one, because the caller's object may have others that are not columns. The first two are named by
// number in `ofItsRun`.
const pickNew = ({
  id,
  runId,
  agentId,
  agentWallet,
  chainId,
  user,
  userWallet,
  budget,
  fee,
  mandateId,
}: Omit<NewJob, 'terms' | 'offering' | 'checklist' | 'deadlines'>) =>
  ({ id, runId, agentId, agentWallet, chainId, user, userWallet, budget, fee, mandateId }) satisfies Partial<Job>
