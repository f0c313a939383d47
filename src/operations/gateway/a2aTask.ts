import { isObject, type Json, type JsonObject, jsonObject } from '../../domain/json.ts'
import type { GatewayTask, TaskState } from '../../ports.ts'

const states: Record<TaskState, string> = {
  pending: 'submitted',
  working: 'working',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
}

/** What a result holds: some agents hand in the whole JSON-RPC answer, others what is in it. */
export const unwrap = (result: Json | undefined): { result?: Json | undefined; error?: string } => {
  if (!isObject(result) || !('jsonrpc' in result)) return { result }
  const { error } = result
  if (isObject(error)) return { error: typeof error.message === 'string' ? error.message : 'no reason given' }
  return { result: 'result' in result ? result.result : undefined }
}

export const isTask = (it: Json | undefined): it is JsonObject => isObject(it) && isObject(it.status)
export const isMessage = (it: Json | undefined): it is JsonObject => isObject(it) && Array.isArray(it.parts)

/** The message of a JSON-RPC request that was submitted, or of a bare payload. */
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

/** A task of the gateway as A2A 0.3 tells it. */
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
    status: { state: states[state], timestamp: new Date(updatedAt).toISOString(), ...(reply && { message: reply }) },
    history: [...messageOf(payload), ...(said ? [said] : [])],
  })
}

/** What an agent said at its own address, as a finished task. */
export const toAnsweredTask = (id: string, request: JsonObject, text: string): JsonObject =>
  jsonObject.parse({
    kind: 'task',
    id,
    contextId: id,
    status: { state: 'completed', message: toMessage(id, text) },
    history: [...messageOf(request), toMessage(id, text)],
  })
