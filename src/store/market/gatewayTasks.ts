import { limits } from '../../domain/limits.ts'
import { gatewayTaskRow } from '../../ports/gateway.ts'
import type { Aside, Tx } from '../engine/db.ts'
import { countOf, insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const tasks = rowOf(gatewayTaskRow)

const lease = `update gateway_task set state = 'working', attempt = attempt + 1, lease_until = {NOW} + ${limits.taskLeaseMs},
  updated_at = {NOW} where id = $1 and state = 'pending' returning ${tasks.columns}`

const end = `update gateway_task set state = $2, result = $3, error = $4, lease_until = null, updated_at = {NOW}
  where id = $1 and state in ('pending', 'working') and (attempt > 0 or $2 <> 'completed') returning ${tasks.columns}`

const lapse = `update gateway_task set state = 'pending', lease_until = null, updated_at = {NOW}
  where state = 'working' and lease_until < {NOW} and attempt < ${limits.attempts} returning queue`
const giveUp = `update gateway_task set state = 'failed', error = 'The agent did not answer.', lease_until = null,
  updated_at = {NOW}
  where (state = 'pending' and created_at < {NOW} - ${limits.taskMs})
  or (state = 'working' and lease_until < {NOW}) returning ${tasks.columns}`
const forget = `delete from gateway_task where state in ('completed', 'failed', 'canceled')
  and updated_at < {NOW} - ${limits.taskKeepMs}`

const callable = `select ${tasks.columns} from gateway_task where state = 'pending' and name like 'call:%'
  and exists (select 1 from agent where agent.id = gateway_task.queue and endpoint_url is not null and via_gateway = 0)
  order by seq limit $1`

/** Messages queued at the gateway for agents. */
export const gatewayTaskTable = tableGroup(({ read, aside, write }) => ({
  addTask: ({ payload, ...task }) =>
    write(async tx => {
      const values = { ...task, payload: JSON.stringify(payload), state: 'pending' }
      const [insert, params] = insertion('gateway_task', values, ['createdAt', 'updatedAt'])
      const added = tasks.one(await tx.sql(`${insert} on conflict do nothing returning ${tasks.columns}`, params))
      if (added) for (const channel of [`tasks:${added.queue}`, 'calls']) tx.notify(channel)
      return added
    }),

  task: async id => tasks.one(await read(`select ${tasks.columns} from gateway_task where id = $1 or name = $1`, [id])),

  lockWaitingTaskCount: queue =>
    write(async ({ sql }) => {
      // Locks the queue by name, because an empty queue has no row to lock.
      await sql('select {LOCKED_NAME} as held', [`tasks:${queue}`])
      return countOf(sql(`select count(*) as total from gateway_task where queue = $1 and state = 'pending'`, [queue]))
    }),

  leaseTask: queue =>
    write(async ({ sql }) => {
      const due = `select id from gateway_task where queue = $1 and state = 'pending' order by seq limit 1 {SKIP}`
      const [next] = await sql(due, [queue])
      return next && tasks.one(await sql(lease, [String(next.id)]))
    }),

  callableTasks: async limit => aside.sound('gateway_task', tasks, await read(callable, [aside.limit('gateway_task', limit)])),

  leaseCall: id => write(async ({ sql }) => tasks.one(await sql(lease, [id]))),

  endTask: (id, { state, result, error = '' }) =>
    write(async tx => {
      const ended = tasks.one(await tx.sql(end, [id, state, result === undefined ? undefined : JSON.stringify(result), error]))
      if (ended) tx.notify(`task:${ended.id}`)
      return ended
    }),

  queuesWithTasks: async () =>
    (await read(`select distinct queue from gateway_task where state = 'pending' order by queue`)).map(row => String(row.queue)),

  sweepTasks: () => write(tx => sweep(tx, aside)),
}))

const sweep = async ({ sql, notify }: Tx, aside: Aside) => {
  for (const { queue } of await sql(lapse)) notify(`tasks:${queue}`)
  const ended = aside.sound('gateway_task', tasks, await sql(giveUp))
  for (const { id } of ended) notify(`task:${id}`)
  await sql(forget)
  return ended
}
