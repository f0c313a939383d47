import { type AgentId, parseHandle } from '../../domain/agents/agentId.ts'
import { canonical, type Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { isPaidOnly } from '../../domain/offerings/registration.ts'
import { Problem } from '../../domain/problem.ts'
import type { GatewayTask, Known, Tables, WorkIndex } from '../../ports.ts'
import type { Caller, Deps } from '../operation.ts'
import { waitUntil } from '../waiting.ts'

type Reach = Pick<Deps, 'store' | 'gateway'>

/** The queue of an agent without a registration. It never equals the id of a registered agent. */
export const toExternalQueue = (handle: string) => `external:${handle}`

/** The queue of an agent, registered or joined without a registration. */
export type Queue = { queue: string; known: Known }

/** Existing clients name an agent by the number at the end of its id. It is accepted while it is unambiguous. */
const byNumber = async ({ store, gateway }: Reach, text: string): Promise<Known | undefined> => {
  if (!/^\d{1,78}$/.test(text)) return undefined
  const [id, ...others] = await store.agentIdsByNumber(text)
  return id && others.length === 0 ? gateway.access.find(id) : undefined
}

const byName = async (deps: Reach, text: string): Promise<Known> => {
  const known = await deps.gateway.access.find(text)
  return known.agent ? known : ((await byNumber(deps, text)) ?? known)
}

/** Finds the queue of a name; registered agents take precedence. @throws Problem agent-not-found */
export const findQueue = async (deps: Reach, text: string): Promise<Queue> => {
  const known = await byName(deps, text)
  if (known.agent) return { queue: known.agent.id, known }
  const { handle } = parseHandle(text)
  if (!deps.gateway.externals.get(handle)) throw new Problem('agent-not-found')
  return { queue: toExternalQueue(handle), known }
}

/** Like `findQueue`, for a caller that asks for work. An unused handle joins the gateway by asking. */
export const joinQueue = async (deps: Reach, text: string): Promise<Queue | undefined> => {
  const known = await byName(deps, text)
  if (known.agent) return { queue: known.agent.id, known }
  const { handle } = parseHandle(text)
  return deps.gateway.externals.see(handle) ? { queue: toExternalQueue(handle), known } : undefined
}

type NewTask = { name: string; queue: Queue; payload: Json }

/**
 * Adds a task to a queue. The same task again returns the existing one.
 * @throws Problem payment-required, body-too-large, rate-limited, task-taken
 */
export const addTask = async ({ store, ids }: Pick<Deps, 'store' | 'ids'>, task: NewTask): Promise<GatewayTask> => {
  const { name, queue, payload } = task
  const added = await store.atomically(tables => addTaskWithin(tables, { ...task, id: ids.fresh('task') }))
  return added ?? sameTask(await store.task(name), { name, queue: queue.queue, payload })
}

/** Like `addTask`, but inside a transaction. @returns undefined when a task of this name exists */
export const addTaskWithin = async (
  tables: Tables,
  { id, name, queue: { queue, known }, payload }: NewTask & { id: string },
): Promise<GatewayTask | undefined> => {
  if (known.agent) await refuseUnpaid(tables, known.agent)
  if (Buffer.byteLength(JSON.stringify(payload)) > limits.taskBytes)
    throw new Problem('body-too-large', 'A task has at most 512 KiB.')
  const waiting = await tables.lockWaitingTaskCount(queue)
  const task = await tables.addTask({ id, name, queue, payload })
  if (task && waiting >= limits.waitingTasks) throw new Problem('rate-limited', 'Too many tasks are waiting for this agent.')
  return task
}

/**
 * Refuses a free call when the owner requires payment for each call. It also refuses when the agent has a call price and
 * offerings, because it can then be hired.
 * @throws Problem payment-required
 */
export const refuseUnpaid = async (
  tables: Pick<Tables, 'agent' | 'callPrice' | 'offerings'>,
  { id, key }: Named,
): Promise<void> => {
  const agent = await tables.agent(key)
  if (agent && isPaidOnly(agent.card)) throw new Problem('payment-required', 'Its owner charges for each call.')
  if ((await tables.callPrice(key)) !== '0' && (await tables.offerings(id)).length > 0) throw new Problem('payment-required')
}
type Named = { id: AgentId; key: string }

const sameTask = (task: GatewayTask | undefined, wanted: { name: string; queue: string; payload: Json }): GatewayTask => {
  const isSame =
    task?.name === wanted.name && task.queue === wanted.queue && canonical(task.payload) === canonical(wanted.payload)
  if (!isSame) throw new Problem('task-taken')
  return task
}

/**
 * Returns a task by its name or id.
 * @throws Problem task-not-found
 */
export const taskOf = async ({ store }: Pick<Deps, 'store'>, text: string): Promise<GatewayTask> => {
  const task = await store.task(text)
  if (!task) throw new Problem('task-not-found')
  return task
}

type Asked = { queue: string; prefix: 'jobs' | 'tasks'; index: WorkIndex; timeout: number; caller: Caller }

/**
 * Leases the next work of a queue, waiting up to `timeout` seconds, at most 25. The lease says when the queue may have more,
 * unless its transaction notifies that.
 */
export const takeNext = <T>(
  deps: Pick<Deps, 'wakeups' | 'clock'>,
  { queue, prefix, index, timeout, caller }: Asked,
  lease: (queue: string, mayHaveMore: () => void) => Promise<T | undefined>,
): Promise<T | undefined> => {
  // Most polls end here, without a listener and without a read.
  if (timeout === 0 && !index.mayHave(queue)) return Promise.resolve(undefined)
  const { signal } = caller
  const deadline = deps.clock.now() + Math.min(timeout * 1000, limits.pollWaitMs)
  return waitUntil(deps, { channel: `${prefix}:${queue}`, deadline, signal }, async () => {
    // An empty poll uses memory only. A disconnected caller gets no work, because its lease would be wasted.
    if (!index.mayHave(queue) || signal?.aborted) return undefined
    // Dropped before the lease, so that work which comes meanwhile is noted.
    index.drop(queue)
    const mayHaveMore = () => index.add(queue)
    return lease(queue, mayHaveMore).catch((error: unknown) => {
      mayHaveMore()
      throw error
    })
  })
}
