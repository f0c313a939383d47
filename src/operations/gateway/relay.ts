import { z } from 'zod'
import { isObject, isWithinBytes, type Json, type JsonObject, json, jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { rpcCodes, toLegacyRequest, toPresentResult, versionOf } from '../../domain/net/a2aVersions.ts'
import { Problem, SaleProblem } from '../../domain/problem.ts'
import type { GatewayTask } from '../../ports.ts'
import { withWaysToBuy } from '../agents/waysToBuy.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { waitUntil } from '../waiting.ts'
import { toA2aTask, toAnsweredTask } from './a2aTask.ts'
import { postA2a, postInvoke } from './callAgent.ts'
import { endTask } from './calls.ts'
import { addTask, findQueue, type Queue, refuseUnpaid, taskOf } from './taskQueue.ts'

/** The response to a body that is not JSON. Its id is unknown. */
export const unparsable = { jsonrpc: '2.0', id: null, error: { code: rpcCodes.parse, message: 'The body is not JSON.' } }

/** The A2A methods that are answered with a stream, at the same URL as all others. */
export const streamingMethods: ReadonlySet<string> = new Set(['message/stream', 'SendStreamingMessage'])

class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const part = z.object({ kind: z.enum(['text', 'data', 'file']), text: z.string().optional() }).loose()
const sending = z.object({ message: z.object({ parts: z.array(part).min(1) }).loose() }).loose()
const requestId = z.union([z.string(), z.number(), z.null()])
const rpc = z.object({ method: z.string(), params: jsonObject.default({}) })
type Rpc = z.infer<typeof rpc>

/** The id of a JSON-RPC request, even of an invalid one; null when there is none. */
export const requestIdOf = (body: unknown) => requestId.catch(null).parse(isObject(body) ? (body.id ?? null) : null)

export const relayInput = z.object({ agent: z.string().max(200) }).loose()

export const relay = operation({
  name: 'relay',
  summary:
    'Call an agent by A2A 1.0 or 0.3 (header A2A-Version; 0.3 when empty) through the gateway: ' +
    'send and stream messages, read and cancel tasks. Errors are JSON-RPC errors.',
  caller: 'anyone',
  scope: 'hire',
  input: relayInput,
  output: z.object({
    jsonrpc: z.literal('2.0'),
    id: requestId,
    result: json.optional(),
    error: z.object({ code: z.number(), message: z.string(), data: json.optional() }).optional(),
  }),

  async run({ agent, ...body }, deps, caller) {
    const asked = rpc.safeParse(body)
    const id = requestIdOf(body)
    try {
      if (!asked.success || body.jsonrpc !== '2.0')
        throw new RpcError(rpcCodes.invalidRequest, 'The body is not a JSON-RPC 2.0 request.')
      return { jsonrpc: '2.0' as const, id, result: await answerInVersion(asked.data, { agent, deps, caller }) }
    } catch (error) {
      return { jsonrpc: '2.0' as const, id, error: toRpcError(error) }
    }
  },
})

const toRpcError = (error: unknown) => {
  if (error instanceof RpcError) return { code: error.code, message: error.message }
  if (!(error instanceof Problem)) throw error
  const code = error.type === 'task-not-found' ? rpcCodes.noTask : rpcCodes.internal
  return { code, message: error.detail, data: { code: error.type, ...(error instanceof SaleProblem && { buy: error.ways }) } }
}

type Asked = { agent: string; deps: Deps; caller: Caller }

/** Answers a request in the A2A version of its header. @throws RpcError with an A2A error code */
const answerInVersion = async (request: Rpc, asked: Asked): Promise<Json> => {
  const header = asked.caller.a2aVersion ?? ''
  const version = versionOf(header)
  if (!version) throw new RpcError(rpcCodes.version, 'Versions 1.0 and 0.3 are supported.')
  if (version === '0.3') return answerTo(request, asked)
  const former = toLegacyRequest(request.method, request.params)
  if (!former) throw new RpcError(rpcCodes.method, 'This method is not supported.')
  if ('error' in former) throw new RpcError(former.error.code, former.error.message)
  return toPresentResult(request.method, await answerTo(former, asked))
}

const answerTo = async ({ method, params }: Rpc, asked: Asked): Promise<Json> => {
  const { deps } = asked
  const nameOf = () => z.string().catch('').parse(params.id)
  if (method === 'message/send' || method === 'message/stream') return sendMessage(params, asked)
  if (method === 'tasks/get') return toA2aTask(await taskOf(deps, nameOf()))
  if (method === 'tasks/cancel') {
    const task = await taskOf(deps, nameOf())
    return toA2aTask((await endTask(deps, task.id, { state: 'canceled' })) ?? (await taskOf(deps, nameOf())))
  }
  throw new RpcError(rpcCodes.method, 'This method is not supported.')
}

const sendMessage = async (params: JsonObject, { agent: text, deps, caller }: Asked): Promise<Json> => {
  const said = sending.safeParse(params)
  if (!said.success) throw new RpcError(rpcCodes.params, 'params.message.parts must be A2A parts.')
  const { parts } = said.data.message
  // A file part may contain a URL, which the service would have to fetch.
  if (parts.some(it => it.kind === 'file')) throw new RpcError(rpcCodes.content, 'Files are not relayed: send text or data.')
  const queue = await findQueue(deps, text)
  const name = deps.ids.fresh('relay')
  const payload = { jsonrpc: '2.0', id: name, method: 'message/send', params: { ...params, id: name } }
  return withWaysToBuy(deps, queue.known.agent?.id, async () => {
    const direct = await callDirectly({ queue, payload, text: parts.map(it => it.text ?? '').join('\n') }, deps, caller)
    if (direct) return direct
    const task = await addTask(deps, { name, queue, payload })
    return toA2aTask(await awaitTask(deps, task, caller))
  })
}

type Call = { queue: Queue; payload: JsonObject & { id: string }; text: string }

/** Calls an agent at its own endpoint; undefined for a polling agent. */
const callDirectly = async ({ queue: { known }, payload, text }: Call, deps: Deps, { signal }: Caller) => {
  const agent = known.agent && (await deps.store.agent(known.agent.id))
  if (!agent?.endpointUrl || agent.viaGateway) return undefined
  if (known.agent) await refuseUnpaid(deps.store, known.agent)
  if (!isWithinBytes(payload, limits.taskBytes)) throw new Problem('body-too-large', 'A task has at most 512 KiB.')
  const at = { dialer: deps.gateway.dialer, endpoint: agent.endpointUrl, signal }
  const target = { ...agent, id: agent.id ?? '', endpointUrl: agent.endpointUrl }
  return deps.gateway.direct.call(target, signal, async () => {
    const answer = await postA2a(at, payload)
    if (answer) return answer
    const said = await postInvoke(at, { message: text, context: { run_id: payload.id, chain_id: agent.chainId } })
    if (!said) throw new Problem('agent-unreachable')
    if (said.status === 'failed') throw new RpcError(rpcCodes.internal, said.error)
    return toAnsweredTask(payload.id, payload, said.result.response)
  })
}

/** Waits for the end of a task, up to a limit. Returns its current state. */
const awaitTask = async (deps: Deps, task: GatewayTask, { signal }: Caller): Promise<GatewayTask> => {
  const at = { channel: `task:${task.id}`, deadline: deps.clock.now() + limits.relayWaitMs, signal }
  const ended = await waitUntil(deps, at, async () => {
    const now = await deps.store.task(task.id)
    return now && now.state !== 'pending' && now.state !== 'working' ? now : undefined
  })
  return ended ?? (await deps.store.task(task.id)) ?? task
}
