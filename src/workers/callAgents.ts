import { Problem } from '../domain/problem.ts'
import { postA2a, postInvoke } from '../operations/gateway/callAgent.ts'
import { endTask, toCalled } from '../operations/gateway/calls.ts'
import type { Deps } from '../operations/operation.ts'
import type { GatewayTask, TaskEnd } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = Pick<Deps, 'store' | 'gateway'> & { onError(worker: string, error: unknown): void }

/** Concurrent calls in total, and to one agent. */
const atOnce = 16
const atOnceOfOne = 2

/** Delivers users' messages to agents with their own endpoint that are called without a hire. Each is sent once. */
export const callAgents = (deps: Reach): Worker => {
  const busy = new Map<Promise<void>, string>()
  const ending = new AbortController()
  const isFree = ({ queue }: GatewayTask) => [...busy.values()].filter(it => it === queue).length < atOnceOfOne
  const start = (task: GatewayTask) => {
    const work = callAgent(deps, task, ending.signal)
      .catch((error: unknown) => deps.onError('callAgents', error))
      .finally(() => busy.delete(work))
    busy.set(work, task.queue)
  }
  return {
    name: 'callAgents',
    channel: 'calls',
    idleMs: 1_000,
    async runOnce() {
      if (busy.size >= atOnce) return false
      for (const task of await deps.store.callableTasks(atOnce)) if (busy.size < atOnce && isFree(task)) start(task)
      return false
    },
    settle: async () => {
      ending.abort()
      await Promise.all(busy.keys())
    },
  }
}

const callAgent = async (deps: Reach, task: GatewayTask, signal: AbortSignal): Promise<void> => {
  const agent = await deps.store.agent(task.queue)
  if (!agent?.id || !agent.endpointUrl) return
  const { id, endpointUrl } = agent
  try {
    await deps.gateway.direct.call({ ...agent, id, endpointUrl }, signal, async () => {
      if (!(await deps.store.leaseCall(task.id))) return
      const end = await answerOf({ dialer: deps.gateway.dialer, endpoint: endpointUrl, signal }, task)
      deps.gateway.pushes.note(id, end.error)
      // When the service stops, the next process makes the call.
      if (!signal.aborted) await endTask(deps, task.id, end)
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // Too many calls are running. The task waits, and this worker tries again within a second.
    if (error.type === 'rate-limited' || signal.aborted) return
    deps.gateway.pushes.note(id, error.detail)
    await endTask(deps, task.id, { state: 'failed', error: error.detail })
  }
}

const answerOf = async (at: Parameters<typeof postA2a>[0], { payload }: GatewayTask): Promise<TaskEnd> => {
  const { request, text, context } = toCalled(payload)
  try {
    const answer = await postA2a(at, request)
    if (answer) return { state: 'completed', result: answer }
    const said = await postInvoke(at, { message: text, context })
    if (!said) throw new Problem('agent-unreachable')
    return said.status === 'failed'
      ? { state: 'failed', error: said.error }
      : { state: 'completed', result: said.result.response }
  } catch (error) {
    // A failed agent is not an error of the service.
    if (error instanceof Problem) return { state: 'failed', error: error.detail }
    throw error
  }
}
