import type { Task } from '@a2a-js/sdk'
import {
  ExtendedAgentCardNotConfiguredError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { limits } from '../domain/limits.ts'
import { isRefusal } from '../domain/problem.ts'
import { acceptMessage } from '../operations/hires/acceptMessage.ts'
import { cancelJob } from '../operations/hires/cancelJob.ts'
import { confirmHire } from '../operations/hires/confirmHire.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import { awaitRun } from '../operations/runs/awaitRun.ts'
import { ownRun } from '../operations/runs/readRun.ts'
import type { Run } from '../ports.ts'
import { toButlerCard } from './card.ts'
import { toA2aError } from './errors.ts'
import { readArtifacts } from './files.ts'
import { followTask } from './follow.ts'
import { listTasks } from './list.ts'
import { takeMessage } from './messages.ts'
import { dropPush, keepPush, listPushes, readPush } from './pushes.ts'
import { isTerminal, toState, toTask } from './task.ts'

type Reach = { deps: Deps; caller: Caller; log(error: unknown): void }

/** Time in ms to wait for a task that was just confirmed or has just ended, before it is cancelled. */
const settleMs = 5_000

/** The butler behind the A2A kit, for one caller. Every refusal is an error of A2A. */
export const createButlerHandler = ({ deps, caller, log }: Reach): A2ARequestHandler => {
  const signal = caller.signal ?? new AbortController().signal
  const told = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw toA2aError(error, log)
    })
  const startOf = (params: Parameters<typeof takeMessage>[0], { requestedVersion: version }: ServerCallContext) =>
    told(async () => {
      const { runId, afterSeq } = await takeMessage(params, deps, caller)
      const run = await ownRun(deps, runId, caller)
      const config = params.configuration?.taskPushNotificationConfig
      if (config) await keepPush(deps, { run, afterSeq, version, config })
      return { run, afterSeq }
    })
  return {
    getAgentCard: async () => toButlerCard(deps),
    getAuthenticatedExtendedAgentCard: async () => {
      throw new ExtendedAgentCardNotConfiguredError('The card is the same for everybody.')
    },
    sendMessage: (params, context) =>
      told(async () => {
        const { run } = await startOf(params, context)
        const { returnImmediately = false, historyLength } = params.configuration ?? {}
        const deadline = deps.clock.now() + (returnImmediately ? 0 : limits.invokeWaitMs)
        return taskOf(await awaitRun(deps, run.id, { deadline, caller }), deps, historyLength)
      }),
    async *sendMessageStream(params, context) {
      const { run, afterSeq } = await startOf(params, context)
      yield { payload: { $case: 'task', value: await taskOf(run, deps, params.configuration?.historyLength) } }
      yield* followTask(deps, { run, afterSeq, signal, untilEnd: false })
    },
    async *resubscribe({ id }) {
      const run = await told(() => openRun(id, deps, caller))
      yield { payload: { $case: 'task', value: await taskOf(run, deps) } }
      yield* followTask(deps, { run, afterSeq: run.lastSeq, signal, untilEnd: true })
    },
    getTask: ({ id, historyLength }) => told(async () => taskOf(await ownTask(id, deps, caller), deps, historyLength)),
    listTasks: params => told(() => listTasks(params, deps, caller)),
    cancelTask: ({ id }) => told(async () => taskOf(await cancel(await ownTask(id, deps, caller), deps, caller), deps)),
    createTaskPushNotificationConfig: (config, { requestedVersion: version }) =>
      told(async () => {
        const run = await ownTask(config.taskId, deps, caller)
        return keepPush(deps, { run, afterSeq: run.lastSeq, version, config })
      }),
    getTaskPushNotificationConfig: ({ taskId, id }) => told(async () => readPush(deps, await ownTask(taskId, deps, caller), id)),
    listTaskPushNotificationConfigs: ({ taskId }) =>
      told(async () => ({ configs: await listPushes(deps, await ownTask(taskId, deps, caller)), nextPageToken: '' })),
    deleteTaskPushNotificationConfig: ({ taskId, id }) =>
      told(async () => dropPush(deps, await ownTask(taskId, deps, caller), id)),
  }
}

const ownTask = async (id: string, deps: Deps, caller: Caller): Promise<Run> => {
  if (!id) throw new RequestMalformedError('id is required.')
  return ownRun(deps, id, caller).catch((error: unknown) => {
    throw isRefusal(error) ? new TaskNotFoundError('Task not found: you have no such task.') : error
  })
}

const jobOf = ({ jobId }: Run, { store }: Deps) => (jobId ? store.job(jobId) : Promise.resolve(undefined))

/** @throws UnsupportedOperationError for a task that has ended, which has nothing to follow */
const openRun = async (id: string, deps: Deps, caller: Caller): Promise<Run> => {
  const run = await ownTask(id, deps, caller)
  if (isTerminal(toState(run, await jobOf(run, deps)))) throw new UnsupportedOperationError('The task has ended.')
  return run
}

/** The task with its newest messages: all of them without `historyLength`. */
const taskOf = async (run: Run, deps: Deps, historyLength?: number): Promise<Task> => {
  if (historyLength !== undefined && historyLength < 0) throw new RequestMalformedError('historyLength must not be negative.')
  const messages = historyLength === 0 ? [] : await deps.store.messages(run.conversationId, run.user)
  const history = messages.filter(it => it.runId === run.id).slice(-(historyLength ?? 0))
  const job = await jobOf(run, deps)
  return toTask(run, { job, history, artifacts: await readArtifacts(deps, run, { job }) })
}

/**
 * Cancels a task: declines its proposal, drops its question, or cancels a job that no agent has picked up.
 * @throws TaskNotCancelableError
 */
const cancel = async (run: Run, deps: Deps, caller: Caller): Promise<Run> => {
  const at = { deadline: deps.clock.now() + settleMs, caller }
  const now = run.state === 'working' ? await awaitRun(deps, run.id, at) : run
  if (now.state === 'awaiting-confirmation' && now.proposal && caller.wallet)
    await confirmHire.call({ run_id: now.id, digest: now.proposal.digest, decision: 'no', wait_ms: settleMs }, deps, caller)
  else if (now.state === 'awaiting-input' || now.state === 'awaiting-confirmation') await takeBack(now, deps, caller)
  else if (now.state === 'awaiting-job') await cancelJob.call({ run_id: now.id, wait_ms: limits.invokeWaitMs }, deps, caller)
  else throw new TaskNotCancelableError('The task has ended or is being proposed.')
  return ownRun(deps, run.id, caller)
}

const takeBack = async ({ id, conversationId, user, chainId }: Run, deps: Deps, caller: Caller): Promise<void> => {
  await acceptMessage(deps, { user, conversationId, chainId, text: 'no, never mind', asksOnly: true })
  await awaitRun(deps, id, { deadline: deps.clock.now() + settleMs, caller })
}
