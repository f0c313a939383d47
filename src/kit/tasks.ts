import { isObject, type JsonObject } from '../domain/json.ts'
import { A2aError, readMessage, toEndedTask } from './a2a.ts'
import { pause } from './pauses.ts'
import type { GivenTask } from './platform.ts'
import { type PollingDeps, submit } from './polling.ts'
import { type Outcome, work } from './work.ts'

type TaskDeps = Omit<PollingDeps, 'chainId' | 'concurrency'>

/** Polls for tasks, which are unpaid A2A messages, until the signal aborts. It works on one at a time. */
export const pollTasks = async (deps: TaskDeps): Promise<void> => {
  const { platform, agentId, log, pollPauseMs, signal } = deps
  while (!signal.aborted) {
    const task = await platform.pollTask(agentId()).catch(() => undefined)
    if (!task) {
      await pause(pollPauseMs, signal)
      continue
    }
    const outcome = await answer(deps, task)
    if ('error' in outcome) log(`task ${task.task_id} failed: ${outcome.error}`)
    const report = toReport(task, outcome)
    await submit(`task ${task.task_id}`, () => platform.completeTask(report), deps)
  }
}

/** The text of a task: that of its A2A message, or the payload itself as JSON text. */
const textOf = ({ payload }: GivenTask): string =>
  isObject(payload) && isObject(payload.params) ? readMessage(payload.params).message : JSON.stringify(payload)

const answer = async ({ handler, signal }: TaskDeps, task: GivenTask): Promise<Outcome> => {
  try {
    return await work(handler, { text: textOf(task), revision: undefined, signal, tell: async () => undefined })
  } catch (error) {
    if (error instanceof A2aError) return { error: error.message }
    throw error
  }
}

const toReport = ({ task_id }: GivenTask, outcome: Outcome): JsonObject =>
  'error' in outcome
    ? { task_id, status: 'failed', error: outcome.error }
    : { task_id, status: 'completed', result: toEndedTask(task_id, outcome) }
