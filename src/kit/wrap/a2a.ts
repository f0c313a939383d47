import { randomUUID } from 'node:crypto'
import { type AgentCard, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { type Json, json, parseJson } from '../../domain/json.ts'
import { pause } from '../pauses.ts'
import type { Asked, Capability, Source } from './source.ts'

/** Supports both versions of the protocol; the agent's card says which one it uses. */
const legacyCompat = { enabled: true }
const factory = new ClientFactory(
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  }),
)

const pollMs = 500

/**
 * Opens an A2A agent of version 1.0 or 0.3 and lists its skills.
 * @param url base URL of the agent, or URL of its card
 * @param only ids of the skills to sell; empty for all
 */
export const openA2a = async (url: string, only: string[] = []): Promise<Source> => {
  const client = await (url.endsWith('.json') ? factory.createFromUrl(url, '') : factory.createFromUrl(url))
  const card = await client.getAgentCard()
  const skills = card.skills.filter(it => only.length === 0 || only.includes(it.id))
  const unknown = only.filter(id => !card.skills.some(it => it.id === id))
  if (unknown.length > 0) throw new Error(`The agent has no skill ${unknown.join(', ')}.`)
  return {
    name: card.name,
    description: card.description || card.name,
    capabilities: skills.map(toCapability),
    call: asked => ask(client, asked),
    close: async () => undefined,
  }
}

const toCapability = ({ id, name, description, tags, examples }: AgentCard['skills'][number]): Capability => ({
  id,
  name: name || id,
  description: description || name || id,
  // A skill takes plain text, because an agent card contains no schemas.
  requirement: {},
  deliverable: {},
  tags,
  ...(examples.length > 0 && { examples }),
})

const ask = async (client: Client, { text, signal }: Asked): Promise<Json> => {
  const message: Message = {
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
    contextId: '',
    taskId: '',
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
  const answer = await client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined }, { signal })
  if ('parts' in answer) return toDeliverable(answer.parts)
  return finish(client, answer, signal)
}

const underWay = new Set([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING])

const finish = async (client: Client, first: Task, signal: AbortSignal): Promise<Json> => {
  let task = first
  while (underWay.has(task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED)) {
    await pause(pollMs, signal)
    if (signal.aborted) {
      await client.cancelTask({ tenant: '', id: task.id, metadata: undefined }).catch(() => undefined)
      throw new Error('The agent did not finish in time.')
    }
    task = await client.getTask({ tenant: '', id: task.id }, { signal })
  }
  return resultOf(task)
}

const resultOf = ({ status, artifacts, history }: Task): Json => {
  const said = textOf(status?.message?.parts ?? [])
  if (status?.state === TaskState.TASK_STATE_INPUT_REQUIRED) throw new Error(`The agent asks: ${said || 'for more input'}`)
  if (status?.state !== TaskState.TASK_STATE_COMPLETED) throw new Error(said || 'The agent did not do the task.')
  const made = artifacts.flatMap(it => it.parts)
  if (made.length > 0) return toDeliverable(made)
  const last = history.findLast(it => it.role === Role.ROLE_AGENT)
  return said || toDeliverable(last?.parts ?? [])
}

const textOf = (parts: Part[]): string =>
  parts.flatMap(({ content }) => (content?.$case === 'text' ? content.value : [])).join('\n')

/** Returns the only data part, or else the text. Files are added as data. */
const toDeliverable = (parts: Part[]): Json => {
  const text = textOf(parts)
  const others = parts.filter(({ content }) => content && content.$case !== 'text').map(toData)
  if (others.length === 0) return text
  return others.length === 1 && text === '' ? (others[0] ?? text) : { text, content: others }
}

const toData = ({ content, mediaType, filename }: Part): Json => {
  if (content?.$case === 'data') return json.parse(parseJson(JSON.stringify(content.value)) ?? null)
  if (content?.$case === 'raw') return { data: content.value.toString('base64'), media_type: mediaType, filename }
  return { url: content?.value ?? '', media_type: mediaType, filename }
}
