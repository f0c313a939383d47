import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Json, type JsonObject, jsonObject, parseJson } from '../domain/json.ts'
import { rpcCodes, toLegacyRequest, toPresentResult, versionOf } from '../domain/net/a2aVersions.ts'
import type { Call } from './guard.ts'
import type { Outcome } from './work.ts'

export class A2aError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Creates the error for a caller that the agent does not answer. */
export const refusedCall = (reason: string): A2aError => new A2aError(rpcCodes.internal, reason)

const part = z.object({ kind: z.string(), text: z.string().optional(), data: jsonObject.optional() }).loose()
const context = z.object({ job_id: z.string().optional(), offering_id: z.string().optional() }).loose()
const sending = z.object({
  message: z.object({ parts: z.array(part).min(1), metadata: context.optional().catch(undefined) }).loose(),
})
const rpc = z.object({ jsonrpc: z.literal('2.0'), method: z.string(), params: jsonObject.default({}) })
const requestId = z.object({ id: z.union([z.string(), z.number()]) })

/** A message to the agent. A message for a job has the terms of the job in `context`; any other has an empty `context`. */
export type Message = Call & { context: JsonObject }

/**
 * Reads the parameters of message/send (A2A 0.3): its texts, or its data as JSON text.
 * @throws A2aError invalid parameters, or a part that is a file
 */
export const readMessage = (params: Json): Message => {
  const said = sending.safeParse(params)
  if (!said.success) throw new A2aError(rpcCodes.params, 'params.message.parts must be A2A parts.')
  const { parts, metadata = {} } = said.data.message
  if (parts.some(it => it.kind === 'file')) throw new A2aError(rpcCodes.content, 'This agent reads text and data, not files.')
  const texts = parts.flatMap(it => it.text ?? [])
  const data = parts.find(it => it.data !== undefined)?.data
  const message = texts.length === 0 && data ? JSON.stringify(data) : texts.join('\n')
  return { message, jobId: metadata.job_id, offeringId: metadata.offering_id, context: jsonObject.parse(metadata) }
}

export const toEndedTask = (id: string, outcome: Outcome): JsonObject => {
  const parts = [{ kind: 'text', text: 'error' in outcome ? outcome.error : outcome.content }]
  const ended = { kind: 'task', id, contextId: id, history: [] }
  if (!('error' in outcome)) {
    const stated = outcome.units !== undefined && { metadata: { units: outcome.units } }
    return { ...ended, status: { state: 'completed' }, artifacts: [{ artifactId: 'deliverable', parts }], ...stated }
  }
  const message = { kind: 'message', messageId: `${id}-reply`, role: 'agent', parts }
  return { ...ended, status: { state: 'failed', message } }
}

type Asked = {
  body: string
  /** The A2A-Version header; empty means 0.3. */
  version: string
  /** Does the work of a message. It throws an A2aError to refuse the caller. */
  answer(message: Message): Promise<Outcome>
}

/** Answers a JSON-RPC request of A2A 1.0 or 0.3. The work ends before the answer is sent, so there are no tasks to read later. */
export const answerA2a = async ({ body, version, answer }: Asked): Promise<JsonObject> => {
  const request = parseJson(body)
  const id = requestId.safeParse(request).data?.id ?? null
  try {
    if (request === undefined) throw new A2aError(rpcCodes.parse, 'The body is not JSON.')
    const asked = rpc.safeParse(request)
    if (!asked.success) throw new A2aError(rpcCodes.invalidRequest, 'The body is not a JSON-RPC 2.0 request.')
    const spoken = versionOf(version)
    if (!spoken) throw new A2aError(rpcCodes.version, 'Versions 1.0 and 0.3 are supported.')
    const { method } = asked.data
    const legacy = spoken === '0.3' ? asked.data : toLegacyRequest(method, asked.data.params)
    if (legacy && 'error' in legacy) throw new A2aError(legacy.error.code, legacy.error.message)
    if (legacy?.method !== 'message/send') throw unanswered(legacy?.method)
    const task = toEndedTask(randomUUID(), await answer(readMessage(legacy.params)))
    return { jsonrpc: '2.0', id, result: spoken === '0.3' ? task : toPresentResult(method, task) }
  } catch (error) {
    if (!(error instanceof A2aError)) throw error
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
  }
}

const unanswered = (method: string | undefined): A2aError => {
  if (method === 'message/stream') return new A2aError(rpcCodes.unsupported, 'This agent does not stream.')
  if (method === 'tasks/get' || method === 'tasks/cancel')
    return new A2aError(rpcCodes.noTask, 'Task not found: tasks end with their answer.')
  return new A2aError(rpcCodes.method, 'This method is not supported.')
}
