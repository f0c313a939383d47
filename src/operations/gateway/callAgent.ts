import { z } from 'zod'
import { type Json, type JsonObject, json, jsonObject, parseJson } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import type { Dialer, OutsideAnswer } from '../../ports.ts'
import { textPart } from '../../records/delivery.ts'

/** The answer of an agent's own endpoint, in the form of a completion. */
export type Said =
  | { status: 'completed'; result: { response: string; task?: JsonObject }; units?: Json | undefined }
  | { status: 'failed'; error: string }

/** An agent's own endpoint. Functions that use it throw the Problems of the dialer. */
type At = { dialer: Dialer; endpoint: string; signal?: AbortSignal | undefined }

const units = json.optional().catch(undefined)
const invoked = z.object({ content: z.string(), success: z.boolean().nullish(), error: z.unknown().optional(), units }).loose()
const message = z.object({ parts: z.array(textPart).default([]) }).loose()
const answered = z
  .object({
    kind: z.string().optional(),
    parts: z.array(textPart).optional(),
    status: z.object({ state: z.string(), message: message.nullish() }).loose().optional(),
    artifacts: z.array(message).nullish(),
    metadata: z.object({ units }).loose().nullish().catch(undefined),
  })
  .loose()
const rpcAnswer = z.object({ result: jsonObject.optional(), error: z.object({ message: z.string() }).loose().nullish() }).loose()

const below = (endpoint: string, name: string): URL => {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${name}`
  return url
}

/** Status 404 and 405 mean that the endpoint does not support this protocol. */
const isSpoken = ({ status }: OutsideAnswer) => status !== 404 && status !== 405

const bodyOf = ({ status, body }: OutsideAnswer): Json | undefined => {
  if (status < 200 || status > 299) throw new Problem('agent-unreachable', `The agent answered with status ${status}.`)
  return parseJson(body)
}

/** Calls POST /invoke of an agent (specification 18); undefined when it is not supported. */
export const postInvoke = async ({ dialer, endpoint, signal }: At, body: JsonObject): Promise<Said | undefined> => {
  const answer = await dialer.post(below(endpoint, 'invoke'), body, signal)
  if (!isSpoken(answer)) return undefined
  const said = invoked.safeParse(bodyOf(answer))
  if (!said.success) throw new Problem('agent-unreachable', "The agent's response is not valid.")
  const { success, content, error, units: stated } = said.data
  if (success === false) return { status: 'failed', error: typeof error === 'string' ? error : 'no reason given' }
  return { status: 'completed', result: { response: content }, ...statedBy(stated) }
}

/** The units that the agent stated for a usage price, unchecked. */
const statedBy = (stated: Json | undefined): { units?: Json } => (stated === undefined ? {} : { units: stated })

/** Reads the agent card from the agent's endpoint (specification 17); undefined when there is none. */
export const readCard = async ({ dialer, endpoint, signal }: At): Promise<JsonObject | undefined> => {
  const { status, body } = await dialer.get(below(endpoint, '.well-known/agent-card.json'), signal)
  return status === 200 ? jsonObject.safeParse(parseJson(body)).data : undefined
}

/** Calls message/send of an agent (A2A 0.3). Returns its task or message; undefined when it is not supported. */
export const postA2a = async ({ dialer, endpoint, signal }: At, request: JsonObject): Promise<JsonObject | undefined> => {
  const answer = await dialer.post(below(endpoint, 'a2a'), request, signal)
  if (!isSpoken(answer)) return undefined
  const said = rpcAnswer.safeParse(bodyOf(answer))
  if (!said.success || !said.data.result) throw new Problem('agent-unreachable', 'The agent answered with an error.')
  return said.data.result
}

const unfinished = new Set(['submitted', 'working', 'input-required', 'auth-required'])

/** Converts an A2A answer to a completion. An unfinished task cannot be followed, so it counts as a failure. */
export const toSaid = (answer: JsonObject): Said => {
  const { parts, status, artifacts, metadata } = answered.parse(answer)
  const stated = statedBy(metadata?.units)
  if (parts) return { status: 'completed', result: { response: textOf(parts) }, ...stated }
  if (status && unfinished.has(status.state)) throw new Problem('agent-unreachable', 'The agent did not finish in time.')
  const response = textOf(artifacts?.flatMap(it => it.parts) ?? []) || textOf(status?.message?.parts ?? [])
  return { status: 'completed', result: { response, task: answer }, ...stated }
}

const textOf = (parts: z.infer<typeof textPart>[]) => parts.map(it => it.text ?? '').join('')

/** Builds a message/send request with one text part. */
export const toSendRequest = (id: string, text: string, metadata: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'message/send',
  params: { message: { kind: 'message', messageId: id, role: 'user', parts: [{ kind: 'text', text }], metadata } },
})
