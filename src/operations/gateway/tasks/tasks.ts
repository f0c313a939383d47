import { z } from 'zod'
import { json, jsonObject } from '../../../domain/json.ts'
import { Problem } from '../../../domain/problem.ts'
import { withWaysToBuy } from '../../agents/waysToBuy.ts'
import { operation } from '../../operation.ts'
import { toA2aTask } from '../a2aTask.ts'
import { endTask } from '../calls.ts'
import { addTask, findQueue, taskOf } from '../taskQueue.ts'

const input = z.object({ task_id: z.string().max(100) })

export const readTaskStatus = operation({
  name: 'readTaskStatus',
  summary: 'The status of a task.',
  caller: 'anyone',
  input,
  output: z.object({ task_id: z.string(), status: z.string(), error: z.string().optional() }),

  async run({ task_id }, deps) {
    const { name, state, error } = await taskOf(deps, task_id)
    return { task_id: name, status: state, ...(error && { error }) }
  },
})

export const readTaskResult = operation({
  name: 'readTaskResult',
  summary: 'The result of a task, as the agent submitted it.',
  caller: 'anyone',
  input,
  output: z.object({ task_id: z.string(), status: z.string(), result: json }),

  async run({ task_id }, deps) {
    const { name, state, result, error } = await taskOf(deps, task_id)
    if (state !== 'completed') throw new Problem('task-not-ready', error || `The task is ${state}.`)
    return { task_id: name, status: state, result: result ?? null }
  },
})

export const readGatewayTask = operation({
  name: 'readGatewayTask',
  summary: 'A task in the format of A2A.',
  caller: 'anyone',
  input,
  output: jsonObject,

  run: async ({ task_id }, deps) => toA2aTask(await taskOf(deps, task_id)),
})

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
