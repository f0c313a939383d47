import { z } from 'zod'
import { operation } from '../../operation.ts'
import { endTask } from '../calls.ts'
import { taskOf } from '../taskQueue.ts'

export const cancelTask = operation({
  name: 'cancelTask',
  summary: 'Cancel a task that has not ended.',
  caller: 'anyone',
  scope: 'hire',
  input: z.object({ task_id: z.string().max(100) }).loose(),
  output: z.object({ task_id: z.string(), status: z.string() }),

  async run({ task_id }, deps) {
    const task = await taskOf(deps, task_id)
    const ended = await endTask(deps, task.id, { state: 'canceled' })
    const now = ended ?? (await taskOf(deps, task_id))
    return { task_id: now.name, status: now.state }
  },
})
