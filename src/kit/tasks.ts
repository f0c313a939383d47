import { isObject, type JsonObject } from '../domain/json.ts'
import { A2aError, readMessage, toEndedTask } from './a2a.ts'
import { pause, retryUntilDone } from './pauses.ts'
import type { GivenTask, Platform } from './platform.ts'
import type { AgentOptions } from './profile.ts'
import { type Outcome, toReason, work } from './work.ts'

type TaskDeps = {
  platform: Platform
  handler: AgentOptions['handler']
  agentId: () => string
  log: (line: string) => void
  pollPauseMs: number
  retryPauseMs: number
  signal: AbortSignal
}

/** Polls for tasks, which are unpaid A2A messages, until the signal aborts. It works on one at a time. */
export const pollTasks = async (deps: TaskDeps): Promise<void> => {
  const { platform, agentId, log, pollPauseMs, retryPauseMs, signal } = deps
  while (!signal.aborted) {
    const task = await platform.pollTask(agentId()).catch(() => undefined)
    if (!task) {
      await pause(pollPauseMs, signal)
      continue
    }
    const outcome = await answer(deps, task)
    if ('error' in outcome) log(`task ${task.task_id} failed: ${outcome.error}`)
    const report = toReport(task, outcome)
    const complete = async () => {
      try {
        log(`task ${task.task_id} ${await platform.completeTask(report)}`)
        return true
      } catch (error) {
        if (!signal.aborted) log(`task ${task.task_id} not accepted yet; it is submitted again: ${toReason(error)}`)
        return false
      }
    }
    await retryUntilDone(complete, retryPauseMs, signal)
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
