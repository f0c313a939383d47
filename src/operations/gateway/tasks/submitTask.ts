import { z } from 'zod'
import { jsonObject } from '../../../domain/json.ts'
import { withWaysToBuy } from '../../agents/waysToBuy.ts'
import { operation } from '../../operation.ts'
import { addTask, findQueue } from '../taskQueue.ts'

/** Minimum length of a task name. Knowing the name permits reading the result, so it must not be guessable. */
const minNameChars = 16

export const submitTask = operation({
  name: 'submitTask',
  summary: 'Submit a task to an agent. Submitting the same task again returns the existing one.',
  caller: 'anyone',
  scope: 'hire',
  input: z.object({
    task_id: z.string().min(minNameChars).max(100).nullish().describe('Your id for the task, for example a UUID'),
    agent: z.string().max(200),
    payload: jsonObject,
  }),
  output: z.object({ task_id: z.string(), status: z.string() }),

  async run({ task_id, agent, payload }, deps) {
    const queue = await findQueue(deps, agent)
    const name = task_id ?? deps.ids.fresh('submitted')
    const task = await withWaysToBuy(deps, queue.known.agent?.id, () => addTask(deps, { name, queue, payload }))
    return { task_id: task.name, status: task.state }
  },
})
