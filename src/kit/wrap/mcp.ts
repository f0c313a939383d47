import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { hourMs, secondMs } from '../../domain/durations.ts'
import { isObject, type Json, type JsonObject, jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { filesSchema } from './folder.ts'
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

/** What an MCP server does not say: arguments that are paths of files, and tools whose pictures and other bytes become files. */
export type McpFiles = { members: string[]; tools: string[] }

/** Opens an MCP server and lists its tools. A server that has ended is restarted at the next call. */
export const openMcp = async (
  place: McpPlace,
  only: string[] = [],
  files: McpFiles = { members: [], tools: [] },
): Promise<Source> => {
  if ('url' in place && files.members.length > 0) throw new Error('A server at an address reads no files of this machine.')
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
  const capabilities = listed.filter(it => only.length === 0 || only.includes(it.name)).map(it => toCapability(it, files))
  return {
    name,
    description: `${name}: ${capabilities.map(it => it.name).join(', ')}`.slice(0, limits.descriptionChars),
    capabilities,
    call: async ({ id, input, signal, files: place }: Asked) => {
      const client = await current()
      const said = await client.callTool({ name: id, arguments: input }, { signal, timeout: callTimeoutMs })
      return toDeliverable(said, place)
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

const toCapability = (
  { name, title, description, inputSchema, outputSchema, annotations }: z.infer<typeof tool>,
  { members, tools }: McpFiles,
): Capability => ({
  id: name,
  name: title ?? (typeof annotations.title === 'string' ? annotations.title : name),
  description: description || title || name,
  requirement: withFileMembers(inputSchema, members),
  deliverable: tools.includes(name) ? filesSchema : (outputSchema ?? {}),
  tags: ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].filter(hint => annotations[hint] === true),
})

/** A schema whose members of these names are files. */
const withFileMembers = (schema: JsonObject, members: string[]): JsonObject => {
  const toMember = (name: string, it: Json): Json => {
    if (!members.includes(name) || !isObject(it)) return it
    return isObject(it.items) ? { ...it, items: { ...it.items, format: 'file' } } : { ...it, format: 'file' }
  }
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  return { ...schema, properties: Object.fromEntries(properties.map(([name, it]) => [name, toMember(name, it)])) }
}

const bytes = z.object({ data: z.base64(), mimeType: z.string() })
const embedded = z.object({ resource: z.object({ blob: z.base64(), mimeType: z.string().optional(), uri: z.string() }) })

/** The bytes in a part of a result, with a name; undefined for a text or a link. */
const toFile = (it: z.infer<typeof content>, at: number): { bytes: Uint8Array; name: string } | undefined => {
  const { data: plain } = bytes.safeParse(it)
  if (plain) return { bytes: Buffer.from(plain.data, 'base64'), name: `${it.type}-${at + 1}.${extensionOf(plain.mimeType)}` }
  const { data: inside } = embedded.safeParse(it)
  return inside && { bytes: Buffer.from(inside.resource.blob, 'base64'), name: inside.resource.uri.split('/').at(-1) || 'file' }
}
const extensionOf = (mediaType: string) => /^\w+\/([\w-]+)/.exec(mediaType)?.[1] ?? 'bin'

/**
 * Converts a tool's result to a deliverable: its structured content, or else its text. Images and resources are uploaded where
 * the deliverable has files, and else added as data.
 */
const toDeliverable = async (said: unknown, place: Asked['files']): Promise<Json> => {
  const { isError, structuredContent, content: parts } = result.parse(said)
  const text = parts.flatMap(it => it.text ?? []).join('\n')
  if (isError) throw new Error(text || 'the tool failed without a reason')
  if (place) {
    const files: string[] = []
    for (const it of parts.flatMap((it, at) => toFile(it, at) ?? [])) files.push(await place.upload(it.bytes, it.name))
    return { text, files }
  }
  if (structuredContent) return structuredContent
  const others: JsonObject[] = parts.filter(it => it.type !== 'text')
  return others.length > 0 ? { text, content: others } : text
}
