import { Problem } from '../domain/problem.ts'
import { postA2a, postInvoke } from '../operations/gateway/callAgent.ts'
import { endTask, toCalled } from '../operations/gateway/calls.ts'
import type { Deps } from '../operations/operation.ts'
import type { GatewayTask, TaskEnd } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = Pick<Deps, 'store' | 'gateway' | 'hints'> & { onError(worker: string, error: unknown): void }

/** Calls side by side, and those of one agent among them; each waits for a stranger. */
const atOnce = 16
const atOnceOfOne = 2

/** Takes the messages of users to agents with an address of their own that are called without a hire; one try each. */
export const callAgents = (deps: Reach): Worker => {
  const busy = new Map<Promise<void>, string>()
  const ending = new AbortController()
  const isFree = ({ queue }: GatewayTask) => [...busy.values()].filter(it => it === queue).length < atOnceOfOne
  const start = (task: GatewayTask) => {
    const work = callAgent(deps, task, ending.signal)
      .catch((error: unknown) => deps.onError('callAgents', error))
      .finally(() => {
        busy.delete(work)
        deps.hints.notify('calls')
      })
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

const callAgent = async (deps: Reach, { id, queue }: GatewayTask, signal: AbortSignal): Promise<void> => {
  const endpoint = (await deps.store.agent(queue))?.endpointUrl
  const task = endpoint && (await deps.store.leaseCall(id))
  if (!task) return
  const end = await answerOf({ dialer: deps.gateway.dialer, endpoint, signal }, task)
  deps.gateway.pushes.note(queue, end.error)
  // A service that stops leaves the call to the next one.
  if (!signal.aborted) await endTask(deps, id, end)
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
    // A stranger's failure is no failure of ours.
    if (error instanceof Problem) return { state: 'failed', error: error.detail }
    throw error
  }
}
