import { isObject, type Json, type JsonObject, jsonObject } from '../json.ts'

// Converts A2A 1.0 messages to and from A2A 0.3, which agents behind the gateway use (a2a-protocol.org/v1.0.0/specification).

export type A2aVersion = '0.3' | '1.0'

/** Returns the protocol version of a request. An empty header means 0.3; an unsupported version gives undefined. */
export const versionOf = (header: string): A2aVersion | undefined => {
  const [, version] = /^(0\.3|1\.0)(?:\.\d+)?$/.exec(header.trim() || '0.3') ?? []
  return version === '0.3' || version === '1.0' ? version : undefined
}

export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  noTask: -32001,
  push: -32003,
  unsupported: -32004,
  content: -32005,
  version: -32009,
}

/** Methods of 1.0 with their names in 0.3. */
const legacyNames: Record<string, string> = {
  SendMessage: 'message/send',
  SendStreamingMessage: 'message/stream',
  GetTask: 'tasks/get',
  CancelTask: 'tasks/cancel',
}

/** Methods of 1.0 that the gateway does not offer, with their error codes. */
const refused: Record<string, { code: number; message: string }> = {
  ...Object.fromEntries(
    ['Create', 'Get', 'List', 'Delete'].map(verb => [
      `${verb}TaskPushNotificationConfig${verb === 'List' ? 's' : ''}`,
      { code: rpcCodes.push, message: 'Push notifications are not supported.' },
    ]),
  ),
  ListTasks: { code: rpcCodes.unsupported, message: 'Tasks are not listed: keep the ids of your tasks.' },
  SubscribeToTask: { code: rpcCodes.unsupported, message: 'Subscribing to a task is not supported: use GetTask.' },
  GetExtendedAgentCard: { code: -32007, message: 'There is no extended card.' },
}

export type LegacyRequest = { method: string; params: JsonObject } | { error: { code: number; message: string } }

/** Converts a request of version 1.0 to 0.3, or returns the error for it; undefined for an unknown method. */
export const toLegacyRequest = (method: string, params: JsonObject): LegacyRequest | undefined => {
  const error = refused[method]
  if (error) return { error }
  const former = legacyNames[method]
  if (former === undefined) return undefined
  return { method: former, params: isObject(params.message) ? { ...params, message: toLegacyMessage(params.message) } : params }
}

const toLegacyMessage = (message: Record<string, unknown>): JsonObject =>
  jsonObject.parse({
    ...message,
    kind: 'message',
    role: message.role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: listOf(message.parts).map(toFormerPart),
  })

const toFormerPart = (part: Record<string, unknown>): Record<string, unknown> => {
  const { text, data, raw, url, mediaType, filename, metadata } = part
  const more = metadata === undefined ? {} : { metadata }
  if (typeof text === 'string') return { kind: 'text', text, ...more }
  if (data !== undefined) return { kind: 'data', data, ...more }
  return {
    kind: 'file',
    file: { mimeType: mediaType, name: filename, ...(url === undefined ? { bytes: raw } : { uri: url }) },
    ...more,
  }
}

const listOf = (it: unknown): Record<string, unknown>[] => (Array.isArray(it) ? it.filter(isObject) : [])

/**
 * Converts a result of version 0.3 to 1.0. Methods that send a message get an envelope; methods that return a task get it
 * alone.
 */
export const toPresentResult = (method: string, result: Json): Json => {
  if (!isObject(result)) return result
  const isSent = method === 'SendMessage' || method === 'SendStreamingMessage'
  if (Array.isArray(result.parts)) return { message: toPresentMessage(result) }
  return isSent ? { task: toPresentTask(result) } : toPresentTask(result)
}

const toPresentTask = ({ kind: _kind, ...task }: Record<string, unknown>): JsonObject => {
  const { status, artifacts, history } = task
  return jsonObject.parse({
    ...task,
    ...(isObject(status) && { status: toPresentStatus(status) }),
    ...(artifacts !== undefined && {
      artifacts: listOf(artifacts).map(it => ({ ...it, parts: listOf(it.parts).map(toPresentPart) })),
    }),
    ...(history !== undefined && { history: listOf(history).map(toPresentMessage) }),
  })
}

const toPresentStatus = ({ state, message, ...rest }: Record<string, unknown>): Record<string, unknown> => ({
  ...rest,
  state: `TASK_STATE_${String(state).toUpperCase().replaceAll('-', '_')}`,
  ...(isObject(message) && { message: toPresentMessage(message) }),
})

const toPresentMessage = ({ kind: _kind, ...message }: Record<string, unknown>): JsonObject =>
  jsonObject.parse({
    ...message,
    role: message.role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER',
    parts: listOf(message.parts).map(toPresentPart),
  })

const toPresentPart = ({ kind: _kind, file, ...part }: Record<string, unknown>): Record<string, unknown> => {
  if (!isObject(file)) return part
  const { bytes, uri, mimeType, name } = file
  return {
    ...part,
    ...(uri === undefined ? { raw: bytes } : { url: uri }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
    ...(name !== undefined && { filename: name }),
  }
}
