import { z } from 'zod'
import { dayMs } from '../../domain/durations.ts'
import type { Scope } from '../../store/engine/db.ts'
import { hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import { type TaskPushTables, taskPushRow } from './ports.ts'

const pushes = rowOf(taskPushRow)

/** A task that has not ended by then tells nobody. */
const keptMs = 30 * dayMs
const due = `select ${pushes.columnsOf('p')} from task_push p join run r on r.id = p.run_id
  where p.due_at <= {NOW} and r.last_seq > p.told_seq and r.state not in ('working', 'awaiting-job')
  order by p.due_at, p.created_at limit $1`
const counted = `select count(*) as of_all, sum(case when wallet = $1 then 1 else 0 end) as of_wallet,
  sum(case when run_id = $2 then 1 else 0 end) as of_task from task_push where not (run_id = $2 and id = $3)`
const count = z.coerce.number()

export const taskPushTable = ({ read, run, write }: Scope): TaskPushTables => ({
  keepTaskPush: (push, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', ['task-pushes'])
      await sql(`delete from task_push where created_at < {NOW} - ${keptMs}`)
      const [row] = await sql(counted, [push.wallet, push.runId, push.id])
      const [ofTask, ofWallet, ofAll] = [row?.of_task, row?.of_wallet, row?.of_all].map(it => count.parse(it ?? 0))
      if ((ofTask ?? 0) >= most.ofTask || (ofWallet ?? 0) >= most.ofWallet || (ofAll ?? 0) >= most.ofAll) return false
      const [insert, params] = insertion('task_push', push, ['createdAt'])
      await sql(
        `${insert} on conflict (run_id, id) do update set url = excluded.url, sealed = excluded.sealed,
          version = excluded.version, due_at = 0, tries = 0`,
        params,
      )
      return true
    }),

  taskPushesOf: async runId =>
    pushes.all(await read(`select ${pushes.columns} from task_push where run_id = $1 order by created_at, id`, [runId])),

  taskPushesOfWallet: async wallet =>
    pushes.all(await read(`select ${pushes.columns} from task_push where wallet = $1 order by created_at, id`, [wallet])),

  dropTaskPush: ({ id, runId }) => hasRow(run('delete from task_push where run_id = $1 and id = $2 returning id', [runId, id])),

  dueTaskPushes: async limit => pushes.all(await read(due, [limit])),

  taskTold: async ({ id, runId }, seq) => {
    const told = 'update task_push set told_seq = $3, due_at = 0, tries = 0 where run_id = $1 and id = $2 and told_seq < $3'
    await run(told, [runId, id, seq])
  },

  postponeTaskPush: async ({ id, runId }, pauseMs) => {
    const later = 'update task_push set due_at = {NOW} + $3, tries = tries + 1 where run_id = $1 and id = $2'
    await run(later, [runId, id, pauseMs])
  },

  forgetTaskPushes: async wallet => {
    await run('delete from task_push where wallet = $1', [wallet])
  },
})
