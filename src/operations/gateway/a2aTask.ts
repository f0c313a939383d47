import { toIso } from '../../domain/durations.ts'
import { isObject, type Json, type JsonObject, jsonObject } from '../../domain/json.ts'
import type { GatewayTask, TaskState } from '../../ports.ts'

const states: Record<TaskState, string> = {
  pending: 'submitted',
  working: 'working',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
}

/** Normalises a result: some agents submit the whole JSON-RPC response, others only its result. */
export const unwrap = (result: Json | undefined): { result?: Json | undefined; error?: string } => {
  if (!isObject(result) || !('jsonrpc' in result)) return { result }
  const { error } = result
  if (isObject(error)) return { error: typeof error.message === 'string' ? error.message : 'no reason given' }
  return { result: 'result' in result ? result.result : undefined }
}

export const isTask = (it: Json | undefined): it is JsonObject => isObject(it) && isObject(it.status)
export const isMessage = (it: Json | undefined): it is JsonObject => isObject(it) && Array.isArray(it.parts)

const messageOf = (payload: Json): Json[] => {
  const params = isObject(payload) && isObject(payload.params) ? payload.params : payload
  return isObject(params) && isObject(params.message) ? [params.message] : []
}

const toMessage = (id: string, text: string): JsonObject => ({
  kind: 'message',
  messageId: `${id}-reply`,
  role: 'agent',
  parts: [{ kind: 'text', text }],
})

export const toA2aTask = ({ name, payload, state, result, error, updatedAt }: GatewayTask): JsonObject => {
  const own = unwrap(result).result
  if (state === 'completed' && isTask(own)) return jsonObject.parse({ kind: 'task', contextId: name, ...own, id: name })
  const said = isMessage(own)
    ? own
    : own === undefined
      ? undefined
      : toMessage(name, typeof own === 'string' ? own : JSON.stringify(own))
  const reply = error ? toMessage(name, error) : said
  return jsonObject.parse({
    kind: 'task',
    id: name,
    contextId: name,
    status: { state: states[state], timestamp: toIso(updatedAt), ...(reply && { message: reply }) },
    history: [...messageOf(payload), ...(said ? [said] : [])],
  })
}

export const toAnsweredTask = (id: string, request: JsonObject, text: string): JsonObject =>
  jsonObject.parse({
    kind: 'task',
    id,
    contextId: id,
    status: { state: 'completed', message: toMessage(id, text) },
    history: [...messageOf(request), toMessage(id, text)],
  })
