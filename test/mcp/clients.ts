import { Client, type Transport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport as FormerTransport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { runView } from '../../src/mcp/runView.ts'

const result = z.object({
  isError: z.boolean().default(false),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.array(z.object({ type: z.string(), text: z.string() })),
})
export type ToolResult = z.infer<typeof result>

const tools = z.array(
  z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    annotations: z.record(z.string(), z.unknown()),
    inputSchema: z.record(z.string(), z.unknown()),
    outputSchema: z.record(z.string(), z.unknown()),
  }),
)

/** The operations of an MCP host program, for every protocol version. */
export type Host = {
  tools(): Promise<z.infer<typeof tools>>
  call(name: string, input: Record<string, unknown>): Promise<ToolResult>
  close(): Promise<void>
}

const self = { name: 'test-host', version: '1' }

/** A client with the 2025 library, which begins with a handshake. */
export const openFormer = async (transport: FormerTransport): Promise<Host> => {
  const client = new FormerClient(self)
  await client.connect(transport)
  return {
    tools: async () => tools.parse((await client.listTools()).tools),
    call: async (name, input) => result.parse(await client.callTool({ name, arguments: input }, CallToolResultSchema)),
    close: () => client.close(),
  }
}

/** A client with the library of the 2026-07-28 revision, which has no handshake and independent requests. */
export const openPresent = async (transport: Transport): Promise<Host> => {
  const client = new Client(self, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(transport)
  return {
    tools: async () => tools.parse((await client.listTools()).tools),
    call: async (name, input) => result.parse(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  }
}

/** A client of the 2026-07-28 revision that can ask its user; `say` returns the user's answer. */
export const openAsking = async (transport: Transport, say: (question: string) => boolean | undefined) => {
  const client = new Client(self, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    capabilities: { elicitation: { form: {} } },
  })
  client.setRequestHandler('elicitation/create', ({ params }) => {
    const said = say(params.message)
    const [field = ''] = Object.keys('requestedSchema' in params ? params.requestedSchema.properties : {})
    return said === undefined ? { action: 'cancel' as const } : { action: 'accept' as const, content: { [field]: said } }
  })
  await client.connect(transport)
  return client
}

/** A client of the 2025 library that can ask its user; `say` returns the user's answer, later if it likes. */
export const openFormerAsking = async (
  transport: FormerTransport,
  say: (question: string) => boolean | undefined | Promise<boolean | undefined>,
) => {
  const client = new FormerClient(self, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const said = await say(params.message)
    if (said === undefined) return { action: 'cancel' as const }
    const [field = ''] = Object.keys('requestedSchema' in params ? params.requestedSchema.properties : {})
    return { action: 'accept' as const, content: { [field]: said } }
  })
  await client.connect(transport)
  return client
}
export const toResult = (it: unknown): ToolResult => result.parse(it)

export const task = 'What time is it in Tokyo?'

export const toRun = (it: ToolResult) => runView.extend({ next_step: z.string() }).parse(it.structuredContent)
