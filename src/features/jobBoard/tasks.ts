import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { operation } from '../../operations/operation.ts'
import { renamed } from '../../operations/renamed.ts'
import { type BoardRow, boardOf } from './ports.ts'
import { statusOfPostedJob } from './postingRecord.ts'

const taskStatus = z.enum(['open', 'closed', 'fulfilled'])

/** A posted job on the board: a task with one slot. */
const taskRecord = z.object({
  task_id: z.string(),
  title: z.string(),
  description: z.string(),
  reward_amount: z.number(),
  reward_token: z.string(),
  total_budget: z.number(),
  total_slots: z.number(),
  claimed_slots: z.number(),
  remaining_slots: z.number(),
  status: taskStatus,
  creator_name: z.string(),
  chain_id: z.number(),
  due_date: z.string(),
  created_at: z.string(),
  completions: z.array(z.object({ job_id: z.string(), provider_id: z.string(), status: z.string(), reward_amount: z.number() })),
})

const titleChars = 80

const toTask = (it: BoardRow, now: number): z.infer<typeof taskRecord> => {
  const status = statusOfPostedJob(it, now)
  const claimed = it.providerKey === '' ? 0 : 1
  const reward = Number(it.rewardAmount)
  return {
    task_id: it.id,
    title: it.description.split('\n')[0]?.slice(0, titleChars) ?? '',
    ...renamed(it, ['description', 'rewardToken', 'chainId']),
    reward_amount: reward,
    total_budget: reward,
    total_slots: 1,
    claimed_slots: claimed,
    remaining_slots: 1 - claimed,
    status: status === 'completed' ? 'fulfilled' : status === 'open' ? 'open' : 'closed',
    creator_name: it.clientId,
    due_date: toIso(it.expiresAt),
    created_at: toIso(it.createdAt),
    completions: claimed === 0 ? [] : [{ job_id: it.id, provider_id: it.providerId, status, reward_amount: reward }],
  }
}

export const listTasks = operation({
  name: 'listTasks',
  summary: 'All posted jobs, newest first.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageRows).default(20),
    offset: z.coerce.number().int().min(0).default(0),
    status: taskStatus.optional(),
    query: z.string().max(200).optional(),
  }),
  output: z.object({ data: z.array(taskRecord), total: z.number() }),

  async run({ chain_id, limit, offset, status, query }, { store, clock }) {
    const now = clock.now()
    const filter = {
      now,
      ...(chain_id !== undefined && { chainId: chain_id }),
      ...(status && { status }),
      ...(query && { query }),
    }
    const { page, total } = await boardOf(store).board({ ...filter, limit, offset })
    return { data: page.map(it => toTask(it, now)), total }
  },
})

export const readTask = operation({
  name: 'readTask',
  summary: 'One posted job.',
  caller: 'anyone',
  input: z.object({ task_id: z.string().max(100), chain_id: z.coerce.number().int().optional() }),
  output: taskRecord,

  async run({ task_id, chain_id }, { store, clock }) {
    const postedJob = await boardOf(store).postedJob(task_id)
    if (!postedJob || (chain_id !== undefined && postedJob.chainId !== chain_id)) throw new Problem('job-not-found')
    return toTask(postedJob, clock.now())
  },
})
