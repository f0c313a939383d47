import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { hourMs, secondMs } from '../../domain/durations.ts'
import { type Json, type JsonObject, jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Asked, Capability, Source } from './source.ts'

/** How to reach an MCP server: a command that uses standard input and output, or a URL. */
export type McpPlace = { command: string[]; env: Record<string, string> } | { url: string; headers: Record<string, string> }

const tool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().default(''),
  inputSchema: jsonObject,
  outputSchema: jsonObject.optional(),
  annotations: z.record(z.string(), z.unknown()).default({}),
})

const content = z.object({ type: z.string(), text: z.string().optional() }).catchall(z.json())
const result = z.object({
  isError: z.boolean().default(false),
  structuredContent: jsonObject.optional(),
  content: z.array(content).default([]),
})

const connectTimeoutMs = 30 * secondMs
/** Time limit of a call without a job, in ms. A call for a job ends at the job's deadline. */
const callTimeoutMs = hourMs

/** Opens an MCP server and lists its tools. A server that has ended is restarted at the next call. */
export const openMcp = async (place: McpPlace, only: string[] = []): Promise<Source> => {
  let client: Client | undefined = await connect(place)
  const current = async () => {
    client ??= await connect(place)
    const opened = client
    opened.onclose = () => {
      if (client === opened) client = undefined
    }
    return opened
  }
  const first = await current()
  const { tools } = await first.listTools()
  const listed = z.array(tool).parse(tools)
  const unknown = only.filter(name => !listed.some(it => it.name === name))
  if (unknown.length > 0)
    throw new Error(`The server has no tool ${unknown.join(', ')}; it has ${listed.map(it => it.name).join(', ')}.`)
  const server = first.getServerVersion()
  const name = server?.title ?? server?.name ?? 'MCP server'
  const capabilities = listed.filter(it => only.length === 0 || only.includes(it.name)).map(toCapability)
  return {
    name,
    description: `${name}: ${capabilities.map(it => it.name).join(', ')}`.slice(0, limits.descriptionChars),
    capabilities,
    call: async ({ id, input, signal }: Asked) => {
      const client = await current()
      const said = await client.callTool({ name: id, arguments: input }, { signal, timeout: callTimeoutMs })
      return toDeliverable(said)
    },
    close: async () => client?.close(),
  }
}

const connect = async (place: McpPlace): Promise<Client> => {
  const client = new Client({ name: 'agent-marketplace', version: '1' })
  await client.connect(toTransport(place), { timeout: connectTimeoutMs })
  return client
}

const toTransport = (place: McpPlace): Transport => {
  if ('url' in place) return new StreamableHTTPClientTransport(new URL(place.url), { requestInit: { headers: place.headers } })
  const [command = '', ...args] = place.command
  return new StdioClientTransport({ command, args, env: place.env, stderr: 'ignore' })
}

const toCapability = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: z.infer<typeof tool>): Capability => ({
  id: name,
  name: title ?? (typeof annotations.title === 'string' ? annotations.title : name),
  description: description || title || name,
  requirement: inputSchema,
  deliverable: outputSchema ?? {},
  tags: ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].filter(hint => annotations[hint] === true),
})

/**
 * Converts a tool's result to a deliverable: its structured content, or else its text. Images and resources are added as data.
 */
const toDeliverable = (said: unknown): Json => {
  const { isError, structuredContent, content: parts } = result.parse(said)
  const text = parts.flatMap(it => it.text ?? []).join('\n')
  if (isError) throw new Error(text || 'the tool failed without a reason')
  if (structuredContent) return structuredContent
  const others: JsonObject[] = parts.filter(it => it.type !== 'text')
  return others.length > 0 ? { text, content: others } : text
}
