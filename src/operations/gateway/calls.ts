import { z } from 'zod'
import type { AgentId } from '../../domain/agents/agentId.ts'
import { type Address, nobody } from '../../domain/hex.ts'
import { type Json, type JsonObject, jsonObject } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { toCalledText } from '../../domain/runTexts/consents.ts'
import { toCallFailedText } from '../../domain/runTexts/ends.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { GatewayTask, Tables, TaskEnd } from '../../ports.ts'
import { completionInput } from '../../records/delivery.ts'
import { withWaysToBuy } from '../agents/waysToBuy.ts'
import { type Accepted, accepted, limitAnonymousRuns, limitOpenRuns } from '../hires/acceptMessage.ts'
import { once, type RequestKey } from '../once.ts'
import { chainOf, type Deps } from '../operation.ts'
import { isMessage, isTask, unwrap } from './a2aTask.ts'
import { toSaid, toSendRequest } from './callAgent.ts'
import { outcomeOf } from './completeJob.ts'
import { addTaskWithin, type Queue } from './taskQueue.ts'

// Direct calls without a hire: the user's message becomes a task of the agent, and the run ends with that task.

export type Call = {
  user: Address
  conversationId: string
  chainId: number
  text: string
  queue: Queue
  /** Undefined for an agent that only joined the gateway. */
  target: AgentId | undefined
  name: string
  request: RequestKey | undefined
  /** Network address of a caller without a token. */
  source: string | undefined
}

const prefix = 'call:'
const runOf = ({ name }: GatewayTask) => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined)

/**
 * Starts a run that waits for the answer of one agent.
 * @throws Problem payment-required, too-many-runs, rate-limited
 */
export const startCall = async (deps: Deps, call: Call): Promise<Accepted> => {
  chainOf(deps, call.chainId)
  return withWaysToBuy(deps, call.target, () => addCall(deps, call))
}

const addCall = (deps: Deps, call: Call): Promise<Accepted> =>
  deps.store.atomically(tables =>
    once(tables, { request: call.request, answer: accepted }, async () => {
      const { user, conversationId, chainId, text, target, source } = call
      await (user === nobody ? limitAnonymousRuns(tables, source) : limitOpenRuns(tables, user))
      const id = deps.ids.fresh('run')
      await tables.addRun({ id, conversationId, user, chainId, task: text, target, source, state: 'awaiting-job' })
      await tables.addMessage(conversationId, user, { role: 'user', content: text, runId: id })
      await tables.addRunEvent(id, { kind: 'message', summary: text, data: { role: 'user' }, key: 'message' })
      await tables.addRunEvent(id, {
        kind: 'called',
        summary: toCalledText(call.name),
        data: { agent: call.name },
        key: 'called',
      })
      await addCallTask(tables, deps, { call, runId: id })
      return { runId: id, afterSeq: 0 }
    }),
  )

const addCallTask = (tables: Tables, { ids }: Deps, { call, runId }: { call: Call; runId: string }) => {
  const name = `${prefix}${runId}`
  const payload = toSendRequest(name, call.text, { run_id: runId, chain_id: call.chainId })
  return addTaskWithin(tables, { id: ids.fresh('task'), name, queue: call.queue, payload })
}

const called = z.object({
  params: z.object({
    message: z.object({ parts: z.array(z.object({ text: z.string() }).loose()), metadata: jsonObject }).loose(),
  }),
})

/** Reads the payload of a call as a JSON-RPC request and as the members of POST /invoke. */
export const toCalled = (payload: Json): { request: JsonObject; text: string; context: JsonObject } => {
  const { parts, metadata } = called.parse(payload).params.message
  return { request: jsonObject.parse(payload), text: parts.map(it => it.text).join('\n'), context: metadata }
}

/** Ends a task, and the run of the user who called the agent. The first end is kept. */
export const endTask = ({ store }: Pick<Deps, 'store'>, id: string, end: TaskEnd): Promise<GatewayTask | undefined> =>
  store.atomically(async tables => {
    const ended = await tables.endTask(id, end)
    if (ended) await endCall(tables, ended)
    return ended
  })

export const endCall = async (tables: Tables, task: GatewayTask): Promise<void> => {
  const runId = runOf(task)
  if (runId === undefined) return
  const { text, failed } = readAnswer(task)
  const ended = await tables.endCalledRun(runId, { state: failed ? 'failed' : 'completed', answer: text })
  if (ended) await tables.addRunEvent(runId, { kind: 'answer', summary: text, data: {}, key: 'answer' })
}

const failureChars = 300

const readAnswer = (task: GatewayTask): { text: string; failed: boolean } => {
  const { deliverable, failure } = task.state === 'completed' ? answerOf(task) : { deliverable: '', failure: task.error }
  if (failure === undefined) return { text: deliverable, failed: false }
  const reason = toQuotable(failure, failureChars) || `the task was ${task.state}`
  return { text: toCallFailedText(reason), failed: true }
}

/** The answer text of a task. Agents answer with a task, a message, plain text or data. */
const answerOf = ({ result }: GatewayTask): ReturnType<typeof outcomeOf> => {
  const { result: own, error } = unwrap(result)
  if (error !== undefined) return { deliverable: '', failure: error }
  if (own === undefined || own === null || own === '') return { deliverable: '', failure: 'the answer was empty' }
  if (isTask(own) || isMessage(own)) return spokenIn(own)
  return { deliverable: typeof own === 'string' ? own : JSON.stringify(own) }
}

const spokenIn = (answer: JsonObject): ReturnType<typeof outcomeOf> => {
  try {
    return outcomeOf(completionInput.parse({ job_id: '', ...toSaid(answer) }))
  } catch (error) {
    if (error instanceof Problem) return { deliverable: '', failure: error.detail }
    return { deliverable: JSON.stringify(answer) } // no shape that A2A knows
  }
}
